/** Opens the way to a cluster with the half that writes: for `compose/kubernetes.ts`, and nobody else. */
import { unreached } from "../../../domain/crash-point.ts";
import type { WritableCluster } from "../../../ports/cluster-writer.ts";
import { type ClusterOptions, type OpenedCluster, openWay } from "../open.ts";
import { clusterWriterOf } from "./writer.ts";

export type OpenedWritable =
  | ({ readonly kind: "opened" } & WritableCluster)
  | Extract<OpenedCluster, { kind: "refused" }>;

export const openWritableCluster = async (options: ClusterOptions): Promise<OpenedWritable> => {
  const way = await openWay(options);
  if (way.kind === "refused") return way;
  const { cluster, connection, credentials, freshAgent } = way;
  const { clock, reached = unreached } = options;
  const writer = clusterWriterOf({ line: { connection, clock, freshAgent, reached }, credentials });
  return { kind: "opened", cluster, writer };
};
