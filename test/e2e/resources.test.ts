/** The one table of known resources (`domain/resource.ts`) says what a real server says of them. */
import { expect } from "vitest";
import { type KnownResource, RESOURCES } from "../../src/domain/resource.ts";
import { storyWith } from "./asfound.ts";
import { kubectl } from "./kubectl.ts";

const story = storyWith();

interface Served {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
}

story("group, version, plural, scope and short names", async () => {
  const always = Object.values<KnownResource>(RESOURCES).filter(({ version }) => version !== null);
  const pathOf = ({ group, version }: KnownResource): string =>
    group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const served = new Map<string, readonly Served[]>();
  for (const path of new Set(always.map(pathOf)))
    served.set(path, JSON.parse(await kubectl(["get", "--raw", path])).resources);
  for (const known of always) {
    const one = served.get(pathOf(known))?.find(({ name }) => name === known.plural);
    const { kind, namespaced, shortNames = [] } = one ?? {};
    expect({ kind, namespaced, shortNames }, known.plural).toEqual({
      kind: known.kind,
      namespaced: known.namespaced,
      shortNames: known.short,
    });
  }
  expect(always.length).toBeGreaterThan(20);
});
