/** Generated Applications of Argo CD, with what is true of each by the rules of its API. */
import fc from "fast-check";
import type { JsonObject } from "../../src/domain/json.ts";
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

/** What a clone told of the commits v1 and v2; `one`: that v1 has the tree of v2, and nothing of v2. */
type Told = "nothing" | "equal" | "one" | "path" | "linked" | "other" | "unread";

const TREE = { v1: "a".repeat(40), v2: "b".repeat(40) } as const;

export const gitFile = (told: Told): Made["files"] => {
  const record = (commit: string, tree: string, place: string): JsonObject => ({
    commit,
    why: told === "unread" ? "it holds no whole object" : null,
    tree: told === "unread" ? null : tree,
    paths:
      told === "unread"
        ? null
        : [{ path: "deploy/web", id: place, selfContained: told !== "linked", why: null }],
  });
  if (told === "nothing") return {};
  const isEqual = told === "equal" || told === "one";
  const place = told === "other" ? "d".repeat(40) : "c".repeat(40);
  const v1 = record(COMMIT.v1, isEqual ? TREE.v2 : TREE.v1, place);
  return {
    "git.json": (told === "one"
      ? [v1]
      : [v1, record(COMMIT.v2, TREE.v2, "c".repeat(40))]) as unknown as JsonObject,
  };
};

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
    told: fc.constantFrom<Told>("nothing", "nothing", "equal", "one", "path", "linked", "other", "unread"),
    sourceType: fc.constantFrom("Directory", "Directory", "Kustomize"),
    declaresTree: fc.boolean(),
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
      sourceType: drawn.sourceType,
      operation:
        phase === null
          ? null
          : { phase, revision: String(compared), finished: phase === "Running" ? null : FINISHED },
      ...(isOfThisSpec ? {} : { comparedTo: { path: "deploy/before" } }),
    };
    const isPinned = aims === COMMIT.v1 || aims === COMMIT.v2;
    const isCurrent = compared !== null && isOfThisSpec && sync !== "Unknown";
    const wanted = isExpected ? COMMIT.v2 : isPinned ? aims : compared;
    // Of which of several sources a commit is expected has to be said.
    const isMeant = !isExpected || drawn.sources !== "several";
    const repository = drawn.sources === "several and named" ? "https://git.example/shop/" : null;
    const own = objects.filter(({ hook }) => hook !== true);
    const { told, declaresTree } = drawn;
    const tree = declaresTree ? TREE.v2 : null;
    // Y1: another commit counts by its tree, or by the path alone where nothing else gets in.
    const isEqual =
      isExpected &&
      compared === COMMIT.v1 &&
      (told === "equal" ||
        (told === "one" && declaresTree) ||
        (told === "path" && drawn.sourceType === "Directory"));
    const isThere = own.every(
      ({ health: its, status }) => its !== "Missing" && (its !== undefined || status === "Synced"),
    );
    const isFresh = phase === null || (phase !== "Running" && reconciled > FINISHED);
    // V3: a status of another spec, or from before the sync, tells of no absence.
    const isAbsent = isCurrent && isFresh && own.some(({ health: its }) => its === "Missing");
    return {
      files: { ...applicationFiles(world), ...gitFile(told) },
      ...(isExpected ? { expected: { commit: { sha: COMMIT.v2, tree, repository, source: null } } } : {}),
      truth: {
        "spec-observed": isCurrent,
        "synced-revision": isCurrent && isMeant && sync === "Synced" && (compared === wanted || isEqual),
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
