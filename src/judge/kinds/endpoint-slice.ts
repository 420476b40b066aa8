/** EndpointSlices: the ready endpoints of one slice. */
import { RESOURCES } from "../../domain/resource.ts";
import { sliceReady } from "../endpoints.ts";
import type { KindRule } from "../kind-rule.ts";

export const endpointSlice: KindRule = {
  resource: RESOURCES.EndpointSlice,
  required: ["endpoints-ready"],
  rules: { "endpoints-ready": sliceReady },
};
