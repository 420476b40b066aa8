/** A kind of the step's own: its objects wait until the server has established the definition, and no longer than may be sent. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { USUAL_RESOURCES } from "../../src/testing/api-server/resources.ts";
import { effects, worldOf } from "../support/kubernetes-step.ts";

const DEFINITIONS = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  singular: "customresourcedefinition",
  shortNames: ["crd"],
  namespaced: false,
};
const NAME = "widgets.example.com";
const PLACE = { resource: "customresourcedefinitions.apiextensions.k8s.io", name: NAME };

const definition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: NAME },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true }],
  },
};
const widget: JsonObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "one" } };

const world = (deadline = "1m") =>
  worldOf([widget, definition], { step: { deadline } }, { resources: [...USUAL_RESOURCES, DEFINITIONS] });

const condition = (type: string, status: string, message = ""): JsonObject => ({
  status: { conditions: [{ type, status, message }] },
});

it("made first, waited for, and then its object", async () => {
  const { server, at, told } = await world();
  server.onAsked(({ verb, path }) => {
    const made = server.get(PLACE);
    if (verb === "get" && path.includes(NAME) && made !== undefined && made["status"] === undefined)
      server.put(PLACE, { ...made, ...condition("Established", "True") });
  });
  await at.apply();
  expect(effects(server).filter((effect) => effect.startsWith("created"))).toEqual([
    "created inventory",
    `created ${NAME}`,
    "created one",
  ]);
  expect(told.join("\n")).toContain(`waiting until CustomResourceDefinition ${NAME} is established`);
});

it("control: never established, its object is not sent, and the reason is said", async () => {
  const { server, at } = await world("4s");
  const after = await at.apply();
  expect(after.why).toContain(`CustomResourceDefinition ${NAME} was not established in time`);
  expect(after.why).toContain("1 of 2 objects were applied");
  expect(effects(server)).not.toContain("created one");
  expect(after.step.outputs["objects"]).toMatchObject([
    { name: NAME, uid: expect.any(String) },
    { name: "one", uid: null },
  ]);
});

it("its names are taken: said at once, in the server's words", async () => {
  const { server, at } = await world();
  server.onAsked(({ verb, path }) => {
    const made = server.get(PLACE);
    if (verb === "get" && path.includes(NAME) && made !== undefined && made["status"] === undefined)
      server.put(PLACE, { ...made, ...condition("NamesAccepted", "False", '"Widget" is already in use') });
  });
  expect((await at.apply()).why).toContain(
    'does not take the names of CustomResourceDefinition widgets.example.com: "Widget" is already in use',
  );
  expect(effects(server)).not.toContain("created one");
});
