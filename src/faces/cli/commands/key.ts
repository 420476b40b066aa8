/** key new, key rotate. No private key is printed, and none is asked for. */
import { EXIT } from "../../../domain/exit.ts";
import { keyRotation, madeKey } from "../../../wire/api/key.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { reasonFor } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { EvidenceFlags, RotateFlags } from "../flags-evidence.ts";
import { block } from "../output/block.ts";
import { adviceLines, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { EVIDENCE } from "../texts/evidence.ts";
import { version } from "../version.ts";
import { evidencePlace, evidenceWords } from "./evidence-verify.ts";
import { refuse } from "./where.ts";

export async function keyNew(
  this: Cli,
  flags: EvidenceFlags & PrintFlags & Everywhere,
  file?: string,
): Promise<void> {
  const { makeKey } = await import("../../../compose/key.ts");
  const made = await makeKey(evidencePlace(this, flags), file ?? null);
  if (made.kind === "refused") return void (await refuse(this, made));
  const next = [
    EVIDENCE.withKey(`asfound evidence verify${evidenceWords(flags)} --key ${quoted(made.publicFile)}`),
  ];
  await print(this, flags, {
    page: (page) => [
      page.style("bold", printable(EVIDENCE.made(made.file, made.publicFile))),
      EVIDENCE.keyId(made.key.keyId),
      printable(made.isBeside ? EVIDENCE.beside : EVIDENCE.apart(made.publicFile)),
      ...adviceLines({ next, notOffered: [] }, page),
    ],
    json: () => madeKey(made),
    names: () => [made.publicFile],
  });
  this.exit(EXIT.proven);
}

export async function keyRotate(
  this: Cli,
  flags: RotateFlags & PrintFlags & Everywhere,
  publicFile: string,
): Promise<void> {
  const reason = await reasonFor(this, flags, "key rotate");
  if (reason === null) return this.exit(EXIT.interrupted);
  const { rotateKey } = await import("../../../compose/key.ts");
  const done = await rotateKey(evidencePlace(this, flags), {
    publicFile,
    signingKey: flags.signingKey ?? null,
    actor: flags.actor ?? null,
    reason,
    tool: `asfound ${await version()}`,
  });
  if (done.kind === "refused") return void (await refuse(this, done));
  const next = [EVIDENCE.look(`asfound evidence verify${evidenceWords(flags)}`)];
  await print(this, flags, {
    page: (page) => [
      page.style("bold", printable(EVIDENCE.rotated(done.key.keyId, done.sequence, done.place))),
      EVIDENCE.rotatedFrom(done.replaced.keyId),
      EVIDENCE.newest(done.link.run, done.link.sha256),
      ...block(EVIDENCE.notes, done.notes, page),
      ...adviceLines({ next, notOffered: [] }, page),
    ],
    json: () => keyRotation(done),
    names: () => [done.link.run],
  });
  this.exit(EXIT.proven);
}
