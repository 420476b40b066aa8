/** A provider in this process: things on a shelf, each with the key that made it. And mutants of it. */
import {
  absent,
  defineProvider,
  done,
  type JsonObject,
  type Provider,
  type ProviderDefinition,
  present,
} from "../../src/provider.ts";

export interface Shelf {
  readonly things: Map<string, { readonly key: string; label: string }>;
  readonly provider: Provider;
}

const labelOf = (inputs: JsonObject): string => String(inputs["label"] ?? "");

export const shelf = (
  mutate: (whole: ProviderDefinition) => ProviderDefinition = (whole) => whole,
): Shelf => {
  const things: Shelf["things"] = new Map();
  let made = 0;
  const whole: ProviderDefinition = {
    name: "shelf",
    check: (inputs) =>
      typeof inputs["label"] === "string"
        ? []
        : [{ path: ["label"], message: "label must be text; write label: TEXT" }],
    observe: async ({ identity, keys, inputs }) => {
      const id = identity?.id ?? [...things].find(([, thing]) => keys.some((key) => key === thing.key))?.[0];
      const thing = id === undefined ? undefined : things.get(id);
      if (id === undefined || thing === undefined) return absent;
      return present({ id, outputs: { label: thing.label }, asDeclared: thing.label === labelOf(inputs) });
    },
    create: async (intent, io) => {
      const { key, inputs } = await intent.open();
      made += 1;
      const id = `thing-${made}`;
      things.set(id, { key, label: labelOf(inputs) });
      await io.identity(id);
      return done({ id, outputs: { label: labelOf(inputs) } });
    },
    update: async (intent) => {
      const { identity, inputs } = await intent.open();
      const thing = things.get(identity?.id ?? "");
      if (thing !== undefined) thing.label = labelOf(inputs);
      return done();
    },
    destroy: async (intent) => {
      const { identity } = await intent.open();
      things.delete(identity?.id ?? "");
      return done();
    },
  };
  return { things, provider: defineProvider(mutate(whole)) };
};
