/** Binding over the texts of several files at once: what each of them says afterwards. */
import type { JsonObject } from "../../domain/json.ts";
import type { Fault } from "../manifest/fault.ts";
import { type Binding, type BindOptions, bind } from "./bind.ts";
import { functionResults } from "./function.ts";
import { changedText, type Stream } from "./stream.ts";

export interface BoundFile {
  readonly file: string;
  readonly text: string;
  readonly changed: boolean;
}

export interface BoundFiles {
  readonly binding: Binding;
  readonly files: readonly BoundFile[];
}

export const bindFiles = async (
  streams: readonly Stream[],
  options: BindOptions,
): Promise<BoundFiles | { readonly faults: readonly Fault[] } | { readonly secrets: readonly Fault[] }> => {
  const manifests = streams.flatMap((stream) => stream.manifests);
  const binding = bind(manifests, options);
  if (!("edits" in binding)) return binding;
  const files: BoundFile[] = [];
  let first = 0;
  for (const [index, stream] of streams.entries()) {
    const next = first + stream.manifests.length;
    const begin = first;
    const isOwn = (manifest: number): boolean => manifest >= begin && manifest < next;
    const added = binding.added.filter(({ before }) => (before === null ? index === 0 : isOwn(before)));
    const changed = await changedText(stream, {
      edits: binding.edits
        .filter(({ manifest }) => isOwn(manifest))
        .map((edit) => ({ ...edit, manifest: edit.manifest - begin })),
      added: added.map(({ object }): JsonObject => object),
      results: stream.resourceList === null ? [] : functionResults(binding, manifests),
    });
    if ("fault" in changed) return { faults: [changed.fault] };
    files.push({ file: stream.file, text: changed.text, changed: changed.text !== stream.text });
    first = next;
  }
  return { binding, files };
};
