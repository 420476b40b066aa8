/** What a gRPC health service answers (grpc.health.v1), as a person expects it and as it is recorded. */

export const GRPC_HEALTHS = ["SERVING", "NOT_SERVING", "UNKNOWN", "SERVICE_UNKNOWN"] as const;
export type GrpcHealth = (typeof GRPC_HEALTHS)[number];

export const isGrpcHealth = (text: string): text is GrpcHealth =>
  (GRPC_HEALTHS as readonly string[]).includes(text);

export interface ExpectedHealth {
  /** Empty: the server as a whole. */
  readonly service: string;
  readonly is: GrpcHealth;
}

/** Where a call of the health service goes. */
export const HEALTH_PATH = "/grpc.health.v1.Health/Check";

/** A name as `shop.Cart`; the protocol allows any text, and a person's has no spaces. */
export const isGrpcService = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

/** https://grpc.io/docs/guides/status-codes/ */
const CODES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];

/** `5 (NOT_FOUND)`. */
export const grpcCodeText = (code: number): string => {
  const name = CODES[code];
  return name === undefined ? String(code) : `${code} (${name})`;
};
