/** Services: their own ready endpoints, whoever's they are. */
import { RESOURCES } from "../../domain/resource.ts";
import { serviceReady } from "../endpoints.ts";
import type { KindRule } from "../kind-rule.ts";

export const service: KindRule = {
  resource: RESOURCES.Service,
  required: ["endpoints-ready"],
  rules: { "endpoints-ready": serviceReady },
};
