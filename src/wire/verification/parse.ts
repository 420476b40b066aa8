/** A Verification file's text as what is asked, or all that is wrong with it, each at its field. Never throws for what is in it. */
import type { Bystander, BystanderReply } from "../../domain/bystander.ts";
import type { ClaimName } from "../../domain/claim.ts";
import { type ExpectedCommit, parseApplication } from "../../domain/expected-commit.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { ResponseExpectation } from "../../domain/response.ts";
import { parseResponse } from "../../domain/response-form.ts";
import { configNameFault, type Verification } from "../../domain/verification.ts";
import { checkedText } from "../manifest/checked-text.ts";
import { type Fault, FaultList, type Path } from "../manifest/fault.ts";
import type { About } from "../manifest/text.ts";
import type { BystanderInFile, VerificationFields } from "./schema.ts";

export type ParsedVerification =
  | { readonly verification: Verification }
  | { readonly faults: readonly Fault[] };

const ABOUT: About = {
  tooLarge: "a Verification has a few lines",
  second: "write one file for each target",
  directive: "leave it out",
  empty: "the file is empty; write apiVersion, kind: Verification and target",
};

export const parseVerification = async (text: string, file: string): Promise<ParsedVerification> => {
  const checked = await checkedText(text, file, ABOUT, check);
  return "made" in checked ? { verification: checked.made } : checked;
};

const check = async (
  value: JsonValue,
): Promise<{ readonly made: Verification } | { readonly faults: FaultList }> => {
  const [{ verificationSchema }, { schemaFaults }] = await Promise.all([
    import("./schema.ts"),
    import("../manifest/schema-faults.ts"),
  ]);
  const parsed = verificationSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return { faults: schemaFaults(parsed.error) };
  const faults = new FaultList();
  const made = verificationOf(parsed.data, faults);
  return faults.empty ? { made } : { faults };
};

/** `faults`: what the schema cannot say of its fields, each at its path in them. */
export const verificationOf = (
  { target, expect = {}, claims, rules = [] }: VerificationFields,
  faults: FaultList,
): Verification => ({
  kind: plainly(target.kind, ["target", "kind"], faults),
  name: plainly(target.name, ["target", "name"], faults),
  namespace: target.namespace ?? null,
  expected: {
    uid: target.uid ?? null,
    replicas: expect.replicas ?? null,
    images: new Map(
      Object.entries(expect.images ?? {}).map(([name, digest]) => [name, digest.replace(/^.*@/, "")]),
    ),
    injected: expect.injected ?? [],
    config: configOf(expect.config ?? {}, faults),
    replaced:
      expect.pods === undefined
        ? null
        : { uids: expect.pods.replaced, beside: expect.pods.beside ?? null, by: null, reply: null },
    commit: commitIn(expect, faults),
    application: expect.application === undefined ? null : (parseApplication(expect.application) ?? null),
    response: expect.response === undefined ? null : responseOf(expect.response as JsonValue, faults),
    bystanders: expect.bystanders === undefined ? null : expect.bystanders.map(bystanderOf),
    replies: (expect.bystanders ?? []).flatMap((one, at) => replyOf(one, at, faults)),
  },
  release: releaseIn(expect, faults),
  claims: claims === undefined ? null : (claims as ClaimName[]),
  rules,
});

/** What one of them has to be answered; none where nothing is said of it. */
const replyOf = (
  { kind, name, namespace, response }: BystanderInFile,
  at: number,
  faults: FaultList,
): readonly BystanderReply[] => {
  if (response === undefined) return [];
  const parsed = parseResponse(response as JsonValue);
  if ("response" in parsed) return [{ kind, name, namespace: namespace ?? null, response: parsed.response }];
  for (const { path, message } of parsed.faults)
    faults.add(["expect", "bystanders", at, "response", ...path], () => message);
  return [];
};

/** What the release says is said there alone. */
const releaseIn = (
  { release, images, injected, config, commit }: NonNullable<VerificationFields["expect"]>,
  faults: FaultList,
): string | null => {
  if (release === undefined) return null;
  for (const [field, value] of Object.entries({ images, injected, config, commit }))
    if (value !== undefined)
      faults.add(["expect", field], () => "is what the release says; leave it out, or leave release out");
  return release;
};

const bystanderOf = ({ kind, name, ...told }: BystanderInFile): Bystander => ({
  kind,
  name,
  namespace: told.namespace ?? null,
  uid: told.uid ?? null,
  generation: told.generation ?? null,
  ready: told.ready ?? null,
});

const configOf = (
  config: NonNullable<NonNullable<VerificationFields["expect"]>["config"]>,
  faults: FaultList,
): Verification["expected"]["config"] =>
  new Map(
    Object.entries(config).map(([name, { sha256, version = null }]) => {
      const fault = configNameFault(name);
      if (fault !== null) faults.add(["expect", "config", name], () => fault);
      return [name, { sha256: sha256.replace(/^sha256:/, ""), version }];
    }),
  );

const commitIn = (
  { commit, tree, repository, source }: NonNullable<VerificationFields["expect"]>,
  faults: FaultList,
): ExpectedCommit | null => {
  if (commit !== undefined)
    return {
      sha: commit,
      tree: tree ?? null,
      repository: repository ?? null,
      source: (source as JsonObject | undefined) ?? null,
    };
  for (const [field, value] of Object.entries({ tree, repository, source }))
    if (value !== undefined)
      faults.add(["expect", field], () => "says more of a commit, and none is expected; write commit too");
  return null;
};

const plainly = (text: string, path: Path, faults: FaultList): string => {
  if (text.includes("/"))
    faults.add(path, () => "must not hold a /; kind, namespace and name are fields of their own");
  return text;
};

const AT: Path = ["expect", "response"];

const responseOf = (file: JsonValue, faults: FaultList): ResponseExpectation | null => {
  const parsed = parseResponse(file);
  if ("response" in parsed) return parsed.response;
  for (const { path, message } of parsed.faults) faults.add([...AT, ...path], () => message);
  return null;
};
