/** Generated Applications of Argo CD, with what is true of each by the rules of its API. */
import fc from "fast-check";
import {
  type ApplicationWorld,
  applicationFiles,
  COMMIT,
  type DeclaredObject,
} from "../support/kubernetes/application.ts";
import type { Made } from "./made.ts";

const declared: fc.Arbitrary<DeclaredObject> = fc.record({
  kind: fc.constantFrom("Deployment", "Service", "Widget"),
  name: fc.constantFrom("web", "api"),
  status: fc.constantFrom<"Synced" | "OutOfSync">("Synced", "Synced", "Synced", "OutOfSync"),
  health: fc.constantFrom(undefined, undefined, "Healthy", "Missing"),
  hook: fc.constantFrom(false, false, false, true),
}) as fc.Arbitrary<DeclaredObject>;

const FINISHED = 5;

export const applicationMade: fc.Arbitrary<Made> = fc
  .record({
    isExpected: fc.boolean(),
    aims: fc.constantFrom(COMMIT.v1, COMMIT.v2, "main", "main", undefined),
    compared: fc.constantFrom(COMMIT.v1, COMMIT.v2, COMMIT.v2, COMMIT.v2, null),
    isOfThisSpec: fc.constantFrom(true, true, true, false),
    sync: fc.constantFrom<"Synced" | "OutOfSync" | "Unknown">(
      "Synced",
      "Synced",
      "Synced",
      "OutOfSync",
      "Unknown",
    ),
    health: fc.constantFrom(
      "Healthy",
      "Healthy",
      "Healthy",
      "Progressing",
      "Degraded",
      "Suspended",
      "Missing",
    ),
    phase: fc.constantFrom(null, "Succeeded", "Succeeded", "Failed", "Running"),
    reconciled: fc.constantFrom(FINISHED - 4, FINISHED, FINISHED + 4, FINISHED + 4),
    objects: fc.array(declared, { maxLength: 3 }),
    isAutomatic: fc.boolean(),
    sources: fc.constantFrom("one", "one", "several", "several and named"),
    isAsked: fc.constantFrom(false, false, false, true),
  })
  .map((drawn): Made => {
    const { aims, compared, isOfThisSpec, sync, health, phase, reconciled, objects, isExpected } = drawn;
    const world: ApplicationWorld = {
      ...(aims === undefined ? {} : { aims }),
      compared,
      sync,
      health,
      reconciled,
      objects,
      automated: drawn.isAutomatic,
      asked: drawn.isAsked,
      several: drawn.sources !== "one",
      operation:
        phase === null
          ? null
          : { phase, revision: String(compared), finished: phase === "Running" ? null : FINISHED },
      ...(isOfThisSpec ? {} : { comparedTo: { path: "deploy/before" } }),
    };
    const isPinned = aims === COMMIT.v1 || aims === COMMIT.v2;
    const isCurrent = compared !== null && isOfThisSpec;
    const wanted = isExpected ? COMMIT.v2 : isPinned ? aims : compared;
    // Of which of several sources a commit is expected has to be said.
    const isMeant = !isExpected || drawn.sources !== "several";
    const repository = drawn.sources === "several and named" ? "https://git.example/shop/" : null;
    const own = objects.filter(({ hook }) => hook !== true);
    const isThere = own.every(
      ({ health: its, status }) => its !== "Missing" && (its !== undefined || status === "Synced"),
    );
    const isAbsent = compared !== null && own.some(({ health: its }) => its === "Missing");
    const isFresh = phase === null || (phase !== "Running" && reconciled > FINISHED);
    return {
      files: applicationFiles(world),
      ...(isExpected ? { expected: { commit: { sha: COMMIT.v2, repository, source: null } } } : {}),
      truth: {
        "spec-observed": isCurrent,
        "synced-revision": isCurrent && isMeant && sync === "Synced" && compared === wanted,
        "controller-health":
          isCurrent && own.length > 0 && isThere && isFresh && health === "Healthy" && !drawn.isAsked,
        ...(isExpected
          ? {
              "intended-commit":
                isMeant && (isPinned ? aims === COMMIT.v2 : isCurrent && compared === COMMIT.v2),
            }
          : {}),
      },
      ...(isAbsent ? { finding: ["controller-health", "refuted"] as const, reason: "declared-absent" } : {}),
    };
  });
