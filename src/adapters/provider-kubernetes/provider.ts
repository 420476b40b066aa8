/** `uses: kubernetes`: a step whose resources are manifests. See docs/guide/kubernetes-provider.md. */
import type { JsonObject } from "../../domain/json.ts";
import type { InputFault, Provider, ProviderFacts } from "../../ports/provider.ts";
import { sourceGlob } from "./bound.ts";
import { change } from "./change.ts";
import { declaredObjects, manifestGlob } from "./declared.ts";
import { observe } from "./observe.ts";
import { preview } from "./preview.ts";
import type { Parts } from "./reach.ts";
import { destroy } from "./remove.ts";
import { parse } from "./spec.ts";

const describe = (inputs: JsonObject): ProviderFacts | readonly InputFault[] => {
  const parsed = parse(inputs, true);
  if ("faults" in parsed) return parsed.faults;
  const { manifests, kustomize, adopt, force, bind } = parsed.spec;
  return {
    can: { observe: true, create: true, update: true, destroy: true, compensate: false, owed: false },
    retry: "keyed",
    inputFiles: [
      ...(manifests === null ? [] : [manifestGlob(manifests)]),
      ...(kustomize === null ? [] : [`${kustomize.replace(/\/+$/, "")}/**`]),
      ...(bind === null ? [] : bind.sources.map(sourceGlob)),
    ],
    cannotKnow: [
      ...(kustomize === null
        ? []
        : [
            "What its kustomization takes from outside of its folder is not seen by the plan; name such files in 'files'.",
          ]),
      ...(adopt
        ? ["What is there already and carries nobody's mark is taken over, and destroyed with this step."]
        : []),
      ...(force ? ["Fields that other managers hold are taken from them."] : []),
    ],
  };
};

export const kubernetesProvider = (parts: Parts): Provider => ({
  name: "kubernetes",
  describe,
  precheck: async (inputs, baseDirectory) => {
    const parsed = parse(inputs, false);
    if ("faults" in parsed) return parsed.faults.map(({ message }) => message).join("; ");
    const read = await declaredObjects(parts, parsed.spec, baseDirectory);
    return "fault" in read ? read.fault : undefined;
  },
  observe: (question, io) => observe(parts, question, io),
  preview: (question, io) => preview(parts, question, io),
  create: (intent, io) => change(parts, intent, io),
  update: (intent, io) => change(parts, intent, io),
  destroy: (intent, io) => destroy(parts, intent, io),
  compensate: async () => ({
    kind: "refused",
    reason: "nothing was changed: manifests have nothing to compensate with",
  }),
  owed: async () => ({ kind: "refused", reason: "nothing was changed: manifests owe nothing" }),
});
