/** What `rollback` needs: exactly what docs/rbac/rollback.yaml allows, and each right of it that a rollback of a Deployment uses. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { PolicyRule } from "../../src/testing/api-server/access.ts";
import { changesOf, configMapAt, rollbackWorld } from "../support/rollback-world.ts";

const ROLE: { readonly rules: readonly PolicyRule[] } = parse(
  readFileSync(new URL("../../docs/rbac/rollback.yaml", import.meta.url), "utf8"),
);
const RUN = ["rollback", "run", "deployment/web", "--to", "v1", "--yes", "--restore-config", "-o", "json"];

const worldWith = (rules: readonly PolicyRule[]) =>
  rollbackWorld({ users: [{ name: "keeper", token: "keeper-token", rules }] });

/** The same rules, without one verb of one resource. */
const without = (verb: string, resource: string): readonly PolicyRule[] =>
  ROLE.rules.flatMap((rule) =>
    rule.resources?.includes(resource) === true
      ? [
          { ...rule, resources: rule.resources.filter((one) => one !== resource) },
          { ...rule, resources: [resource], verbs: rule.verbs.filter((one) => one !== verb) },
        ]
      : [rule],
  );

describe("docs/rbac/rollback.yaml", () => {
  it("is enough: config is made again and the template is written; nothing was denied", async () => {
    const at = await worldWith(ROLE.rules);
    at.server.remove(configMapAt("settings-v1"));
    at.follows();
    const ran = await at.run(...RUN, "--window", "2s");
    expect(changesOf(at.server), ran.out + ran.err).toEqual([
      "created configmaps/settings-v1",
      "updated deployments/web",
    ]);
    expect(at.server.log().filter(({ status }) => status === 403)).toEqual([]);
  });

  it.each([
    ["patch", "deployments"],
    ["patch", "configmaps"],
  ])(
    "control: without the right to %s %s the server refuses that write, and it is said",
    async (verb, resource) => {
      const at = await worldWith(without(verb, resource));
      at.server.remove(configMapAt("settings-v1"));
      const ran = await at.run(...RUN, "--window", "1s");
      expect(ran.code).not.toBe(0);
      expect(changesOf(at.server)).not.toContain("updated deployments/web");
      expect(ran.out + ran.err).toMatch(new RegExp(`cannot ${verb}|may not ${verb}|forbidden|403`));
    },
  );

  it("names no right to remove anything, and none to Secrets", () => {
    const verbs = ROLE.rules.flatMap((rule) => rule.verbs);
    expect(verbs.filter((verb) => /delete|\*/.test(verb))).toEqual([]);
    expect(ROLE.rules.flatMap(({ resources = [] }) => resources)).not.toContain("secrets");
  });
});
