/** Every kind that has rules. A kind without any is undetermined, never healthy (V7). */
import type { Seen } from "../domain/evidence.ts";
import type { KindRule } from "./kind-rule.ts";
import { application } from "./kinds/application.ts";
import { autoscaler } from "./kinds/autoscaler.ts";
import { cronJob } from "./kinds/cron-job.ts";
import { daemonSet } from "./kinds/daemon-set.ts";
import { deployment } from "./kinds/deployment.ts";
import { disruptionBudget } from "./kinds/disruption-budget.ts";
import { endpointSlice } from "./kinds/endpoint-slice.ts";
import { gateway } from "./kinds/gateway.ts";
import { grpcRoute } from "./kinds/grpc-route.ts";
import { httpRoute } from "./kinds/http-route.ts";
import { ingress } from "./kinds/ingress.ts";
import { job } from "./kinds/job.ts";
import { pod } from "./kinds/pod.ts";
import { replicaSet } from "./kinds/replica-set.ts";
import { service } from "./kinds/service.ts";
import { statefulSet } from "./kinds/stateful-set.ts";
import { volumeClaim } from "./kinds/volume-claim.ts";

export const KINDS: readonly KindRule[] = [
  deployment,
  statefulSet,
  daemonSet,
  replicaSet,
  job,
  cronJob,
  pod,
  service,
  endpointSlice,
  ingress,
  gateway,
  httpRoute,
  grpcRoute,
  autoscaler,
  disruptionBudget,
  volumeClaim,
  application,
];

export const kindOf = ({ group, kind }: Pick<Seen, "group" | "kind">): KindRule | undefined =>
  KINDS.find(({ resource }) => resource.group === group && resource.kind === kind);
