/** A provider's mutating methods are reachable from `src/runtime/intend.ts` alone, however the access is written. */
import { expect, it } from "vitest";
import { mutations } from "../../scripts/mutations.ts";
import { plant } from "./tree.ts";

const port = `export interface Provider {
  readonly name: string;
  observe(): Promise<void>;
  create(intent: object): Promise<void>;
  update(intent: object): Promise<void>;
  destroy(intent: object): Promise<void>;
  compensate(intent: object): Promise<void>;
  owed(intent: object): Promise<void>;
}
`;
const importPort = 'import type { Provider } from "../ports/provider.ts";\n';
const using = (body: string) => `${importPort}${body}\n`;

const files: Readonly<Record<string, string>> = {
  "src/ports/provider.ts": port,
  "src/runtime/intend.ts": using("export const send = (p: Provider) => p.create({});"),
  "src/runtime/call.ts": using("export const it = (p: Provider) => p.destroy({});"),
  "src/runtime/maybe.ts": using("export const it = (p: Provider | undefined) => p?.update({});"),
  "src/runtime/index.ts": using('export const it = (p: Provider, a: "observe" | "owed") => p[a]({});'),
  "src/runtime/generic.ts": using(
    'export const it = <A extends "create" | "update">(p: Provider, a: A) => p[a];',
  ),
  "src/runtime/taken.ts": using("export const it = ({ compensate }: Provider) => compensate;"),
  "src/runtime/renamed.ts": using(
    "export const it = (p: Provider) => {\n  const { create: make } = p;\n  return make;\n};",
  ),
  "src/runtime/picked.ts": using('export const it = (p: Pick<Provider, "create">) => p.create({});'),
  "src/runtime/subtype.ts": using(
    "interface Special extends Provider {\n  extra: number;\n}\nexport const it = <P extends Special>(p: P) => p.create({});",
  ),
  "src/adapters/provider-own.ts": using(
    "export abstract class Own implements Provider {\n  abstract readonly name: string;\n  abstract observe(): Promise<void>;\n  abstract create(): Promise<void>;\n  abstract update(): Promise<void>;\n  abstract destroy(): Promise<void>;\n  abstract compensate(): Promise<void>;\n  owed() {\n    return this.update();\n  }\n}",
  ),
  "src/runtime/lawful.ts": using(
    "export const it = (p: Provider, m: Map<string, number> & { create(): void }) => [p.observe(), p.name, m.create(), Object.create(null)];",
  ),
  "src/testing.ts":
    'import type { Provider } from "./ports/provider.ts";\nexport const kit = (p: Provider) => p.create({});\n',
  "src/runtime/intend.test.ts": using("export const it = (p: Provider) => p.create({});"),
};

it("every way to reach a mutating method outside intend.ts is reported", () => {
  const { allowed, forbidden, inert } = mutations(plant(files, ["tsconfig.json", "package.json"]));
  expect(inert).toBeNull();
  expect(allowed).toEqual(["src/runtime/intend.ts:2: create"]);
  expect(forbidden.map((line) => line.replace(/:\d+:/, "")).sort()).toEqual([
    "src/adapters/provider-own.ts update",
    "src/runtime/call.ts destroy",
    "src/runtime/generic.ts create",
    "src/runtime/generic.ts update",
    "src/runtime/index.ts owed",
    "src/runtime/maybe.ts update",
    "src/runtime/picked.ts create",
    "src/runtime/renamed.ts create",
    "src/runtime/subtype.ts create",
    "src/runtime/taken.ts compensate",
  ]);
});

it("it says so when there is nothing to look at", () => {
  expect(mutations(plant({}, ["tsconfig.json"])).inert).toBe("src/ports/provider.ts does not exist");
});
