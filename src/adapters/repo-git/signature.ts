/**
 * Whether a commit's signature is good, as far as this machine can tell: by its own gpg or ssh-keygen, with the person's own keys.
 * Which program checks, and whose ssh keys are believed, a repository's configuration may say too, and is not asked (gpg.program,
 * gpg.ssh.program, gpg.ssh.allowedSignersFile).
 */
import type { SignatureStatus } from "../../domain/commit.ts";
import { type Known, known } from "../../domain/known.ts";
import type { Environment } from "./hardened.ts";
import { runGit } from "./run.ts";

/** git's `%G?`. `U` is a good one by a key that nobody vouched for; an expired or revoked key's is no good one. */
const STATUS: Readonly<Record<string, SignatureStatus>> = {
  G: "good",
  B: "bad",
  N: "none",
};

export const signatureOf = async (
  folder: string,
  environment: Environment,
  commit: string,
): Promise<Known<SignatureStatus>> => {
  const signers = await personsOwn(folder, environment, "gpg.ssh.allowedSignersFile");
  const settings = [
    "gpg.program=gpg",
    "gpg.openpgp.program=gpg",
    "gpg.x509.program=gpgsm",
    "gpg.ssh.program=ssh-keygen",
    `gpg.ssh.allowedSignersFile=${signers}`,
    "gpg.ssh.revocationFile=",
    "gpg.minTrustLevel=undefined",
  ].flatMap((setting) => ["-c", setting]);
  const ran = await runGit(folder, environment, [
    ...settings,
    "log",
    "-1",
    "--no-patch",
    "--no-walk",
    "--format=%G?",
    "--end-of-options",
    commit,
    "--",
  ]);
  const letter = "fault" in ran ? "" : ran.out.trim();
  return known(STATUS[letter] ?? "not-checked");
};

const personsOwn = async (folder: string, environment: Environment, name: string): Promise<string> => {
  const ran = await runGit(folder, environment, [
    "config",
    "--global",
    "--includes",
    "--path",
    "--get",
    name,
  ]);
  return "fault" in ran ? "/dev/null" : ran.out.trim() || "/dev/null";
};
