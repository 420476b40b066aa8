/**
 * Commits of a lab, on a branch of its own in a repository of the person's. Their ids are known before they are made, as an id
 * is a digest of what it names: so the step that pushes them may be asked any number of times, and comes to the same.
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../domain/json.ts";

/** What is delivered, and how it stands in the repository and at its controller. */
export interface Delivering {
  readonly url: string;
  readonly branch: string;
  /** The Application, in Argo CD's namespace. */
  readonly application: { readonly namespace: string; readonly name: string };
}

export interface LabCommit {
  readonly id: string;
  readonly tree: string;
  readonly subject: string;
  /** Of `deploy/lab.yaml`. */
  readonly content: string;
  /** Seconds since 1970: when it was decided on. */
  readonly atS: number;
  /** Made by git revert, of the one before it. */
  readonly isRevert: boolean;
}

/** What an Application follows, and whether its controller undoes what others change. */
export interface Following {
  /** A commit, which follows no branch; null: the lab's branch. */
  readonly pin: string | null;
  readonly selfHeal: boolean;
}

const FOLDER = "deploy";
const FILE = "lab.yaml";
const WHO = { name: "asfound lab", email: "asfound-lab@example.invalid" };

/** With one more commit, on top of these. */
export const withCommit = (
  before: readonly LabCommit[],
  subject: string,
  objects: readonly JsonObject[],
  atS: number,
): readonly LabCommit[] =>
  withContent(before, objects.map((one) => `${JSON.stringify(one, null, 2)}\n`).join("---\n"), {
    subject,
    message: subject,
    atS,
    isRevert: false,
  });

/** With what `git revert` makes of the last of them; there are two at least. */
export const withRevert = (before: readonly LabCommit[], atS: number): readonly LabCommit[] => {
  const [was, last] = [before.at(-2), before.at(-1)];
  if (was === undefined || last === undefined) return before;
  const subject = `Revert "${last.subject}"`;
  const message = `${subject}\n\nThis reverts commit ${last.id}.`;
  return withContent(before, was.content, { subject, message, atS, isRevert: true });
};

const withContent = (
  before: readonly LabCommit[],
  content: string,
  {
    subject,
    message,
    atS,
    isRevert,
  }: Pick<LabCommit, "subject" | "atS" | "isRevert"> & { readonly message: string },
): readonly LabCommit[] => {
  const blob = idOf("blob", Buffer.from(content));
  const folder = idOf("tree", entry("100644", FILE, blob));
  const tree = idOf("tree", entry("40000", FOLDER, folder));
  const parent = before.at(-1);
  const by = `${WHO.name} <${WHO.email}> ${atS} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent.id}`]),
    `author ${by}`,
    `committer ${by}`,
    "",
    message,
    "",
  ];
  return [
    ...before,
    { id: idOf("commit", Buffer.from(lines.join("\n"))), tree, subject, content, atS, isRevert },
  ];
};

/** Git's: the SHA-1 of the kind, the length and the bytes. */
const idOf = (kind: string, bytes: Buffer): string =>
  createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");

const entry = (mode: string, name: string, id: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);

/** A clause; undefined: it can be pushed to. */
export const repositoryFault = (url: string): string | undefined => {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const isScp = scheme === undefined && /^\w[\w.-]*(?:@\w[\w.-]*)?:[^:]+$/.test(url);
  if (!isScp && !["http", "https", "ssh", "git"].includes(scheme ?? ""))
    return "it has to be the URL of a Git server that Argo CD reaches too: https, http, ssh or git";
  if (/[\s\p{Cc}"'\\$`]/u.test(url)) return "a URL has no spaces, quotes, dollars and control characters";
  if (/^https?:\/\/[^/]*@/i.test(url))
    return "it holds a name or a password, which would be recorded; leave them to git's credential helper";
  return undefined;
};

/**
 * One script for all actions. Commits are made in a folder of its own that is removed, without anybody's configuration; what goes over the
 * network goes by the person's (credentials), less hooks. It asks for no password, and takes no other protocols than these.
 */
const SCRIPT = `set -eu
export GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=http:https:ssh:git LC_ALL=C
ref=refs/heads/$BRANCH
answer() { printf '%s\\n' "$1"; exit 0; }
net() { git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c push.gpgSign=false -c push.followTags=false -c gc.auto=0 "$@"; }
now=$(net ls-remote -- "$URL" "$ref") || {
  [ "$ASFOUND_ACTION" != observe ] || exit 1
  answer '{"outcome":"refused","reason":"git ls-remote did not go through"}'
}
now=$(printf '%s' "$now" | cut -f1)
if [ "$ASFOUND_ACTION" = observe ]; then
  [ -n "$now" ] || answer '{"present":false}'
  [ "$now" = "$WANTED" ] && answer "{\\"present\\":true,\\"id\\":\\"$BRANCH\\",\\"outputs\\":{\\"commit\\":\\"$now\\"},\\"asDeclared\\":true}"
  answer "{\\"present\\":true,\\"id\\":\\"$BRANCH\\",\\"outputs\\":{\\"commit\\":\\"$now\\"},\\"asDeclared\\":false,\\"reason\\":\\"the branch is at $now\\"}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
own() { GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$work" -c core.hooksPath=/dev/null "$@"; }
own init --quiet --template= --object-format=sha1 --initial-branch=lab
if [ "$ASFOUND_ACTION" = destroy ]; then
  [ -n "$now" ] || answer '{"outcome":"done"}'
  case " $OURS " in *" $now "*) ;; *) answer "{\\"outcome\\":\\"refused\\",\\"reason\\":\\"the branch is at $now, which is no commit of this lab\\"}" ;; esac
  net -C "$work" push --quiet --force-with-lease="$ref:$now" -- "$URL" ":$ref" || answer '{"outcome":"failed","reason":"git push did not remove the branch"}'
  answer '{"outcome":"done"}'
fi
mkdir "$work/${FOLDER}"
while [ $# -gt 0 ]; do
  export GIT_AUTHOR_DATE="@$1 +0000" GIT_COMMITTER_DATE="@$1 +0000"
  if [ -z "$3" ]; then
    own revert --no-edit HEAD > /dev/null
  else
    printf '%s' "$3" > "$work/${FOLDER}/${FILE}"
    own add --all
    own commit --quiet --message="$2"
  fi
  shift 3
done
[ "$(own rev-parse HEAD)" = "$WANTED" ] || answer '{"outcome":"refused","reason":"this git makes other commits than were meant"}'
# A branch of that name that somebody else made meanwhile is left as it is.
[ "$ASFOUND_ACTION" != create ] || set -- "--force-with-lease=$ref:"
net -C "$work" push --quiet "$@" -- "$URL" "HEAD:$ref" || answer '{"outcome":"failed","reason":"git push did not go through"}'
answer "{\\"outcome\\":\\"done\\",\\"id\\":\\"$BRANCH\\",\\"outputs\\":{\\"commit\\":\\"$WANTED\\"}}"
`;

/** The `with` of an exec step that has these commits on the branch, the last of them at its end. */
export const pushing = (
  { url, branch }: Delivering,
  commits: readonly LabCommit[],
  agent: string | undefined,
): JsonObject => {
  const argv = [
    ...["sh", "-c", SCRIPT, "asfound-lab"],
    ...commits.flatMap(({ atS, subject, content, isRevert }) => [
      String(atS),
      subject,
      isRevert ? "" : content,
    ]),
  ];
  return {
    observe: argv,
    create: argv,
    update: argv,
    destroy: argv,
    environment: {
      URL: url,
      BRANCH: branch,
      WANTED: commits.at(-1)?.id ?? "",
      OURS: commits.map(({ id }) => id).join(" "),
      GIT_AUTHOR_NAME: WHO.name,
      GIT_AUTHOR_EMAIL: WHO.email,
      GIT_COMMITTER_NAME: WHO.name,
      GIT_COMMITTER_EMAIL: WHO.email,
      // For a URL of ssh: the person pushes as themselves.
      ...(agent === undefined ? {} : { SSH_AUTH_SOCK: agent }),
    },
  };
};

export const applicationOf = (
  { url, branch, application }: Delivering,
  destination: string,
  { pin, selfHeal }: Following,
): JsonObject => ({
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Application",
  metadata: { name: application.name },
  spec: {
    project: "default",
    source: { repoURL: url, path: FOLDER, targetRevision: pin ?? branch },
    destination: { server: "https://kubernetes.default.svc", namespace: destination },
    syncPolicy: { automated: selfHeal ? { selfHeal } : {} },
  },
});
