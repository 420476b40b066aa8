// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references as people write them.
import fc from "fast-check";
import { expect, describe as group, it } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { isFaults } from "../../ports/provider.ts";
import { describe } from "./describe.ts";

const GOOD: JsonObject = {
  base: "https://api.example/v1",
  headers: { authorization: "Bearer ${secret.env.TOKEN}" },
  key: { body: "/labels/asfound-key" },
  create: {
    path: "/machines",
    body: { size: "${steps.plan.outputs.size}" },
    id: "/id",
    outputs: { ip: "/ip" },
  },
  observe: {
    get: { path: "/machines/{id}" },
    find: {
      path: "/machines?label=asfound-key%3D{key}",
      items: "/items",
      id: "/id",
      match: { "/labels/asfound-key": "{key}" },
      next: "/next",
    },
    outputs: { ip: "/ip" },
    declared: ["/size"],
    ready: { pointer: "/status", is: ["ready"] },
  },
  update: { path: "/machines/{id}", body: { size: "l" }, ifMatch: "etag" },
  destroy: { path: "/machines/{id}" },
};

/** GOOD with one place set, or removed. */
const with_ = (path: readonly string[], value: unknown): JsonObject => {
  const copy = structuredClone(GOOD) as Record<string, unknown>;
  let here = copy;
  for (const name of path.slice(0, -1)) {
    here[name] ??= {};
    here = here[name] as Record<string, unknown>;
  }
  const last = path.at(-1) ?? "";
  if (value === undefined) delete here[last];
  else here[last] = value;
  return copy as JsonObject;
};

const sentences = (inputs: JsonObject): readonly string[] => {
  const answer = describe(inputs);
  return isFaults(answer) ? [] : answer.cannotKnow;
};

group("W5: a 'with' as written is checked before anything runs", () => {
  it("a good one has no fault (the control of every fault below)", () => {
    const answer = describe(GOOD);
    expect(answer).toMatchObject({
      can: { observe: true, create: true, update: true, destroy: true, compensate: false, owed: false },
      retry: null,
      inputFiles: [],
    });
  });

  it.each<[readonly string[], unknown, string, string?]>([
    [["bas"], "x", "did you mean 'base'?"],
    [["create", "bdy"], {}, "did you mean 'body'?"],
    [["observe", "find", "matches"], {}, "did you mean 'match'?"],
    [["base"], "api.example", "must be a URL"],
    [["base"], "ftp://api.example", "https://"],
    [["base"], "https://user:hush@api.example", "no user or password"],
    [["base"], "https://api.example?x=1", "no query"],
    [["headers", "authorization"], "Bearer hush", "must not stand in the file"],
    [["create", "headers"], { "x-api-key": "hush" }, "must not stand in the file"],
    [["headers", "bad name"], "x", "no header name"],
    [["headers", "host"], "x", "set by the connection"],
    [["headers", "x"], 1, "must be a text"],
    [["headers", "x"], "a\r\nb: c", "one line"],
    [["key"], {}, "where our key goes"],
    [["key", "body"], "labels", 'write "/labels"'],
    [["key", "body"], "/size/x", "not an object"],
    [["key", "body"], "/size", "already has a value"],
    [["key", "header"], "a b", "no header name"],
    [["create", "path"], "machines", "begins with '/'"],
    [["create", "path"], undefined, "'path' is missing"],
    [["create", "path"], "/machines/{id}", "nothing has an id yet"],
    [["create", "path"], "/machines/{name}", "{name} is not known"],
    [["create", "path"], "/a b", "no spaces"],
    [["create", "path"], "https://elsewhere.example/", "below it"],
    [["create", "method"], "post", "in capitals"],
    [["create", "method"], "GET", "must be one of"],
    [["create", "id"], "id", 'write "/id"'],
    [["create", "id"], { header: "x-id" }, "{header: location}"],
    [["create", "id"], "${steps.a.outputs.b}", "written out"],
    [["create", "outputs", "ip"], "ip", 'write "/ip"'],
    [["create", "outputs", "ip"], 1, "JSON pointer"],
    [["create", "expect"], [404], "200 to 299"],
    [["create", "poll"], {}, "'pointer' is missing"],
    [["create", "poll"], { pointer: "/s", done: ["ok"], every: "2" }, "no unit"],
    [["create", "poll"], { pointer: "/s", done: [] }, "must be a list of texts"],
    [["create", "body"], [1], "must be an object"],
    [["observe"], {}, "'get' (by its id), 'find'"],
    [["observe", "get", "path"], "/machines", "needs {id}"],
    [["observe", "find", "next"], undefined, "a list cut short proves nothing"],
    [["observe", "find", "next"], { token: "/t" }, "needs both"],
    [["observe", "find", "items"], undefined, "'items' is missing"],
    [["observe", "find", "match"], {}, "what proves that an item is ours"],
    [["observe", "find", "match"], { "/k": "{id}" }, "known is {key}"],
    [["observe", "declared"], ["/colour"], "nothing stands at /colour"],
    [["observe", "ready"], { pointer: "/status" }, "'is' is missing"],
    [["observe", "object"], "machine", 'write "/machine"'],
    [["observe", "get"], undefined, "'observe.get' is needed", "update"],
    [["update", "path"], "/machines", "needs {id}"],
    [["destroy", "path"], "/machines/{key}", "needs {id}"],
    [["update", "ifMatch"], true, "can only be 'etag'"],
    [["key"], undefined, "yet no create carries it", "observe"],
  ])("%j = %j", (path, value, message, place = path[0]) => {
    const answer = describe(with_(path, value));
    expect(isFaults(answer)).toBe(true);
    if (!isFaults(answer)) return;
    const said = answer.map((fault) => fault.message).join("\n");
    expect(said).toContain(message);
    expect(said).not.toContain("hush");
    for (const fault of answer) expect(fault.path[0]).toBe(place);
  });

  it("names the very place of a fault", () => {
    const answer = describe(with_(["observe", "declared"], ["/size", "size"]));
    expect(answer).toMatchObject([{ path: ["observe", "declared", 1] }]);
  });

  it("nothing declared, and an id that nothing names", () => {
    expect(describe({ base: "https://a.example" })).toMatchObject([{ path: [] }]);
    const { observe: _observe, update: _update, ...rest } = GOOD;
    const noId = { ...rest, create: { path: "/machines", body: {} } };
    expect(describe(noId)).toMatchObject([{ path: ["create"] }]);
  });

  it("says 'ca' is an input file", () => {
    expect(describe({ ...GOOD, ca: "certs/ca.pem" })).toMatchObject({ inputFiles: ["certs/ca.pem"] });
  });

  it("says what it cannot know, and only that", () => {
    expect(sentences(GOOD).join(" ")).not.toContain("lost");
    const { observe: _observe, update: _update, ...blind } = GOOD;
    expect(sentences(blind).join(" ")).toContain("cannot be found again");
    const plain = with_(["base"], "http://api.example");
    expect(sentences(plain).join(" ")).toContain("Without TLS");
    expect(sentences(with_(["base"], "http://127.0.0.1:80")).join(" ")).not.toContain("Without TLS");
    expect(sentences({ ...blind, key: { header: "Idempotency-Key" } }).join(" ")).toContain(
      "yours to declare",
    );
    const named = with_(["observe", "find", "match"], { "/name": "web" });
    const byName = {
      ...named,
      observe: {
        ...(named["observe"] as JsonObject),
        find: { path: "/m", items: "/i", id: "/id", match: { "/name": "web" }, next: "none" },
      },
    };
    expect(sentences(byName).join(" ")).toContain("somebody else could have made it");
  });

  it("never throws, whatever stands in the file", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("base", "key", "create", "observe", "update", "x"), fc.jsonValue()),
        (inputs) => {
          describe(inputs as JsonObject);
        },
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(GOOD)), fc.jsonValue(), (name, value) => {
        describe({ ...GOOD, [name]: value } as JsonObject);
      }),
    );
  });
});
