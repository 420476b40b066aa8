/** `config bind -o json`: kind `ConfigBinding`: what was bound, what was left and why. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import type { Binding } from "../bind/bind.ts";
import { document } from "./document.ts";

export interface ConfigBindingInput {
  readonly binding: Binding;
  /** As a person knows them; `written`: whether they were written. */
  readonly files: readonly { readonly file: string; readonly changed: boolean }[];
  readonly written: boolean;
}

export const configBinding = ({ binding, files, written }: ConfigBindingInput): JsonObject => {
  const { bound, places, checksums, left } = binding;
  return document("ConfigBinding", {
    bound: bound.map((one) => ({ ...one })),
    references: places.map(({ of, path, kind, naming, name, to, why }) => ({
      of,
      path: path.join("."),
      kind,
      by: naming,
      name,
      boundTo: to,
      leftAs: why,
    })),
    checksums: checksums.map(({ of, path, from, to }) => ({ of, path: path.join("."), from, to })),
    left: [...left],
    files: files.map(({ file, changed }) => ({ file, changed })),
    written,
  });
};
