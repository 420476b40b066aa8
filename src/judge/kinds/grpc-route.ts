/** GRPCRoutes: as their parents' controllers say, and what their backends have behind them. */
import { RESOURCES } from "../../domain/resource.ts";
import type { KindRule } from "../kind-rule.ts";
import { routeRule } from "../route.ts";

export const grpcRoute: KindRule = routeRule(RESOURCES.GRPCRoute);
