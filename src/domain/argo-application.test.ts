/** A rollback in Argo CD, told from a pin that was moved and a commit that is only late, by the Application alone. */
import { expect, it } from "vitest";
import { rolledBack } from "./argo-application.ts";
import type { JsonObject } from "./json.ts";

const commit = (letter: string): string => letter.repeat(40);
const [A, B, C] = [commit("a"), commit("b"), commit("c")];

const deployed = (revisions: readonly string[], by: JsonObject = { username: "ann" }): JsonObject => ({
  status: {
    history: revisions.map((revision, id) => ({
      id,
      revision,
      deployedAt: `2026-11-30T12:0${id}:00Z`,
      initiatedBy: by,
    })),
  },
});

it.each<[string, JsonObject, string, string | null]>([
  ["an older one again, while another is declared", deployed([A, B, A]), B, A],
  ["two before that", deployed([A, B, C, A]), C, A],
  ["the declared one is deployed", deployed([A, B]), B, null],
  ["the declared one was never deployed", deployed([A, A]), B, null],
  ["what is deployed was not deployed before", deployed([B, A]), B, null],
  ["its own controller did it", deployed([A, B, A], { automated: true }), B, null],
  ["a branch is declared", deployed([A, B, A]), "main", null],
  ["nothing was deployed", {}, B, null],
  ["the history is no list", { status: { history: "[]" } }, B, null],
])("%s", (_name, application, declared, expected) => {
  const back = rolledBack(application, null, declared);
  expect(back === null ? null : back.deployed.revision).toBe(expected);
});
