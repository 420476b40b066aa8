/** What each verb is for: one line for the list, and what its own help says. */
export interface VerbText {
  readonly brief: string;
  readonly full: string;
}

export const APP_BRIEF =
  "Changes infrastructure, and says only what it observed.\nA step is complete only when an observation says so, and destroyed only when its absence was observed.";

export const VERB = {
  init: {
    brief: "Write a small stack file that really applies",
    full: "Writes asfound.yaml here, with an example of plain POSIX tools that apply creates and destroy removes. Overwrites nothing.",
  },
  plan: {
    brief: "Show what apply would do; changes nothing",
    full: "Tells from the file and the ledger what apply would do. No row is written, and nothing is called but a cluster, which rehearses what steps of Kubernetes manifests would change. Exits 0 whatever it finds; `changes` in the JSON says how much that is.",
  },
  apply: {
    brief: "Bring every step of the file to complete",
    full: "Shows the plan, asks, and carries it out. Before each call a record of it is durable; after it, an observation decides. What fails stops only what needs it.",
  },
  status: {
    brief: "Say what is known of every step, from the ledger alone",
    full: "Reads the ledger and asks no provider. Exits 21 if anything may be alive in doubt, 10 for other errors, 20 or 30 for what is not confirmed, else 0.",
  },
  reconcile: {
    brief: "Ask what is there and settle what is in doubt; changes nothing outside",
    full: "Asks the providers what is there, and settles from their answers what the ledger holds in doubt. It changes nothing outside: no create, update or destroy is called, whatever the word means elsewhere. It waits until an answer can be believed (settle, call-by, a surviving process), unless --no-wait is given.",
  },
  resume: {
    brief: "Do the last apply or destroy again, with its permissions, on today's file",
    full: "Repeats the last apply or destroy with its flags and permissions, on today's file, and says whether the file has changed since. What is complete is left, what is in doubt is looked at first.",
  },
  destroy: {
    brief: "Remove everything that may be alive, or the named steps",
    full: "Removes in reverse order, and calls a step destroyed only when its absence was observed. What is retained is left and listed.",
  },
  compensate: {
    brief: "Run the compensations of the named steps",
    full: "A compensation is a step of its own: recorded before it is called, able to fail and to be repeated. It runs only when it is asked for.",
  },
  resolve: {
    brief: "Record what a person knows about a step in doubt",
    full: "Ends a doubt that no observation can end. What you say is recorded with your name and the reason, and nothing is called.",
  },
  retain: {
    brief: "Keep a step when everything else is destroyed, or release it again",
    full: "Records that the step is kept, for whom, why, and when that is to be looked at again. Destroy leaves it and lists it.",
  },
  forget: {
    brief: "Give up a step, or a second object of it, without removing anything",
    full: "The ledger stops counting the thing as this step's. It goes on existing outside; nothing is called. The expected id has to be given, so that nothing else is given up.",
  },
  import: {
    brief: "Take over something that exists, after asking for it",
    full: "Records that the step is the existing thing with this id, then asks the provider for it once. Nothing outside is changed.",
  },
  approve: {
    brief: "Approve what a step does not do without an approval, or a verdict that a gate waits for",
    full: "Records an approval for the next such call of one step, or for a saved plan as a whole. With --gate it is of a verdict: the live service is looked at at that moment, and what changed since the verdict, or does not hold, refuses (23; nothing is recorded then); else actor, reason and the verdict's digest are recorded as a run of evidence, which counts for that very verdict until the gate's maxAge is over. Exits 22 where it could not be recorded. Who approves is attributed by --actor, not authenticated. Example: asfound approve --gate gate.yaml --reason 'seen on staging'",
  },
  verify: {
    brief: "Judge a rollout by what is observed of it: proven, refuted, progressing or undetermined",
    full: "Asks the cluster of your kubeconfig for one object and what a verdict about it rests on, judges it claim by claim, and says what is missing. It only reads. With --watch it looks again until the claims that count are proven, a final reason (a deadline that is over, a failed Job), or the window's end, and shows on a terminal what it waits for and why. With --from it asks no cluster and judges saved `kubectl get -o json` output, where a file named after its resource (pods.json) says that this resource was asked for. With -l, --all or -A it judges many, by one LIST for each resource: the worst verdict is the exit, what is scaled to zero stands apart, and nothing selected proves nothing. With -f a file says the target and what is expected of it. With --via it asks for replies as well (GET, without credentials), and judges what came and which Pod sent it. It also tells what changed, field by field and by whom: since the files of --baseline, since the last state that --proven kept, else, where the verdict is not proven, since the revision before. With --record it keeps what was seen, asked and said as a run of evidence, judges from what is kept, and tells the run; where that cannot be made durable the verdict is told all the same, and the exit is 22. With --explain it tells a claim's rule, its sources and its limits; without a target it asks nothing. Exits 0 proven, 10 refuted, 20 undetermined, 30 still progressing.",
  },
  drill: {
    brief: "Replace one Pod on purpose, and see whether what comes in its place is right",
    full: "Chooses one ready Pod of a Deployment, StatefulSet or DaemonSet, shows why it and what was looked at (disruption budgets, ready endpoints left, nodes), and asks. Then it evicts that Pod, by its UID and resourceVersion, and looks until the Pod is gone, another one is there that the same workload controls, is Ready and was given its config, and, with --via, answers as expected. Where a Pod may be removed has to be said: --allow-namespace. The call is recorded before it is made, like every other: asfound status --stack NAME knows it. Exits 0 proven, 10 where what came is not right within --window, 20 where it cannot be told or somebody came between, 21 where nobody knows whether the Pod was removed, 23 where nothing was called. Example: asfound drill deployment/web -n shop --allow-namespace shop --dry-run",
  },
  snapshot: {
    brief: "Keep what a verdict rests on as files, for verify --from",
    full: "Asks the cluster for one object and what a verdict about it rests on, and writes the answers into a new folder, one file a question. verify --from judges them to the same findings. With -l, --all or -A it keeps whole lists, one for each resource, page by page as they come, and verify --from judges the same selection; with -f a Verification file says the target and the replies that are asked for. Values of environment variables, the data of Secrets and kubectl's copy of what was applied are replaced by digests whose key is forgotten; snapshot.json says when all was read, by which requests, and what was removed. A question without an answer is kept as such, and makes the exit 20.",
  },
  watch: {
    brief: "Record from when to when which config was there, for config trace --held",
    full: "Looks at the ConfigMaps of a namespace (or -A) again and again, and keeps the digest of each content with the times between which it was there, by the API server's clock. What did not change is known throughout, whatever connection was lost; of what changed, the time between two looks is not known, and said so. With --secrets it also keeps when which Secret changed: its metadata alone is asked for. It only reads, runs until it is told to stop or --for is over, goes on where it ended before, and removes what is older than --keep or more than --max-size. `asfound config trace KIND/NAME --held DIR` and `verify --held DIR` judge with it. Example: asfound watch --to records -n shop. Exits 0 at its end, 20 where nothing could be read, 22 where a record could not be kept, 23 where another recorder writes there or a right is missing.",
  },
  config: {
    brief: "Trace config to the containers that were given it, and bind manifests to its bytes",
    full: "Config is part of a release: which ConfigMap or Secret reaches which container, and whether what a container was given is what is there now; and manifests that name the very bytes of it.",
  },
  "config trace": {
    brief: "Say of each container start which config it was given, and what the next would get",
    full: "Reads a workload's Pods and the ConfigMaps they take something from (env, envFrom, volumes, projected, subPath; init and sidecar containers too), and says for each reference of each container's last start whether it was given what the object holds now: fresh, stale, propagating, will-change-on-restart, reference-missing, or not-knowable, with the reason. The object, the file and the process are told apart. It only reads; Secrets are asked for with --secrets alone, and what they hold is never kept or shown. With --from it judges saved files, where secrets.json may be among them. With --read-files it also reads, in the containers of one workload, the files that come from ConfigMaps, and keeps their digests alone: that runs a process (cat) in each container, so it asks before, or takes --yes. With -l, --all or -A it traces many, by one LIST for each resource, and tells who would break on a restart, who would be given other config by one, and who is open and why. Of configmap/NAME or secret/NAME it tells everybody in the namespace who takes something from it, whom an edit would reach, and which earlier templates a rollback would need it for. Exits 0 where all is fresh, 10 where a reference is missing or the next container would be given another object, 20 where times do not tell, 30 where files are on their way.",
  },
  release: {
    brief: "Record what is proven to run as a release, and show and compare what was recorded",
    full: "A release is the unit that is deployed and rolled back to: the Pod template, the images as they ran, and the config the containers were given, with its bytes. Nothing that was recorded is ever written over.",
  },
  "release record": {
    brief:
      "Record a workload that is proven as a release: template, images as they run, config with its bytes",
    full: "Judges a Deployment, StatefulSet or DaemonSet as verify does, with its usual claims and config-loaded beside them, and records it only if the verdict is proven: commit and tree as told, image digests as they run, the Pod template, the ReplicaSet or ControllerRevision that holds it, and every ConfigMap that its containers take something from, with its exact bytes. Secrets are named only, or with --secrets kept as keyed digests; values of Secrets and literals of env are in no file. Config is read twice around the verdict, and what changed in between is not recorded. It changes nothing in the cluster. The same release again is said to be there. Exits 0 recorded, 10, 20 or 30 as the verdict where it is not proven, 22 where the record could not be made, 23 where it would not be whole or the name is taken.",
  },
  "release ls": {
    brief: "List the releases that were recorded, of one workload or of all",
    full: "Reads the folder of releases and asks no cluster. Every file of every release is checked against its SHA256SUMS; what was altered, and what a recording that ended early left, is listed apart. Exits 20 if there is any that was altered, else 0.",
  },
  "release show": {
    brief: "Show one release: images, template, config by digest, and what it does not tell",
    full: "Reads one release by its id or name, after checking every file of it. `-o verification` prints the Verification file that expects exactly this release, for asfound verify -f.",
  },
  "config bind": {
    brief: "Bind manifests to the very bytes of their config: versioned names, and a checksum on the Pods",
    full: "A filter on manifests (YAML or JSON; streams, Lists, and the ResourceList of a kustomize function). Each ConfigMap that something refers to becomes immutable under a name made from its bytes; every reference to it is rewritten (env, envFrom, volumes, projected sources, init and ephemeral containers, all kinds of workloads, and places that --reference and --template name), and checksum/config over what a Pod takes is put on its template. Config comes from the manifests themselves, from --from-file, or with --from-live from the cluster. Everything else in the text stays as it is, comments too, and binding again changes nothing. What was left is told on the error stream. Secrets are left, and a value that looks like one is refused unless --allow names it. Changes no cluster. With --check it binds nothing, and finds in anybody's manifests what is wrong: checksums on the wrong metadata, of another file, a mere time, out of date; mutable config that is read only at a start; exits 10 then, 0 where nothing is, 20 where nothing takes config. Example: asfound config bind -f deploy.yaml --from-file settings=conf/ | kubectl apply -f -",
  },
  "release retention": {
    brief: "Say who still names which config of a namespace, and what nobody names; deletes nothing",
    full: "Lists the ConfigMaps of a namespace (with --secrets the Secrets too) with all that name them: Pods that are there, templates, the ReplicaSets and ControllerRevisions that are kept for a rollback, and recorded releases. What is named by any of them is never proposed for deletion; where one of the lists could not be read, nothing is. It says which revision goes next when a history limit is reached, and which config only that one names, and what a release names that is not there any more. It deletes nothing. `-o name` prints what nobody names. Exits 0, or 20 where not all could be read. Example: asfound release retention -n shop",
  },
  evidence: {
    brief: "Check what was recorded: sums, statements, signatures and the chain, byte for byte",
    full: "Evidence is a folder of runs: what was observed, what was asked, what was said of it, and a statement over all of that. Each run names the digest of the one before; nothing that was recorded is ever written over. docs/reference/evidence.md tells every file.",
  },
  "evidence ls": {
    brief: "List what was recorded, the newest last; of one target, or with one verdict",
    full: "Reads the chain of a folder of evidence from its end and asks no cluster. Runs that were never finished, and what is not as asfound writes it, are listed as that; whether files are as they were recorded, asfound evidence verify tells. Exits 20 if anything is listed that is not as asfound writes it, else 0. Example: asfound evidence ls deployment/web --verdict refuted",
  },
  "evidence show": {
    brief: "Show one run: what was said, its trust, its files by digest, its neighbours, what was removed",
    full: "Reads one run by its id, its number, or latest, after checking every file of it against its statement. Shows the report as it was said then, the trust tier and what that leaves open, every file with its SHA-256, the run before and after it, and the places where something was taken out that is never written. Exits 0, 2 where there is no such run, 23 where it is not as it was recorded or was never finished.",
  },
  "evidence export": {
    brief: "Write one run with its public key, a README and a script that checks it, for somebody else",
    full: "Checks the run, then writes a new folder, or a new archive where the name ends in .tar: the run's files as they are, the public key as it lies beside the evidence, README.txt, and check.sh, which needs sha256sum and openssl alone. Nothing is written over, no links are followed or written, and the same run gives the same bytes. Exits 0, 2 where there is no such run or the place is taken, 23 where the run is not as it was recorded.",
  },
  "evidence replay": {
    brief: "Judge what a run holds again by today's rules, and record that as a run of its own",
    full: "Reads the bytes that were kept and the question that was asked, judges them by the rules of this version, and records a new run that names the old one by its digest and says, finding by finding, what differs. It asks no cluster and adds nothing to what was kept, so what is there now it does not tell. A run that is not as it was recorded, was never finished, or whose observations were deleted is not judged again. Exits as verify does: 0 proven, 10 refuted, 20 undetermined, 30 progressing; 22 where the new run could not be kept; 23 where nothing was judged.",
  },
  "evidence verify": {
    brief: "Say whether evidence is as it was recorded, and name every file that is not",
    full: "Checks one run (its id, its number, or latest), or without RUN all of them: every file against SHA256SUMS and the statement, the statement against its seal and its signature, the chain from its newest run to its first. What is altered, missing, added, put elsewhere or made shorter is named with its file. A run that was never finished proves nothing and says so; what retention deleted is said to be deleted. Each verdict says its trust tier and what that leaves open: T0 for local digests; T1 where a key that you name (--key) signed and this host does not hold it, followed through recorded rotations; T2 where a checkpoint that you kept elsewhere (--checkpoint) fixes it. That the newest runs were cut off, only a checkpoint tells. --recipe prints a script that checks RUN with sha256sum and openssl alone. It writes nothing. Exits 0 as recorded, 10 not as recorded, 20 where it cannot be told, 1 where the folder cannot be read. Example: asfound evidence verify --key signer.pub",
  },
  "evidence prune": {
    brief: "Delete observations by age, and record which; statements, sums and reports stay",
    full: "Deletes what runs older than --older-than observed (their snapshot/), after it recorded each file with its digest and size as a run of the chain of its own. Everything else stays, so that the chain holds and verify says `deleted by retention` in the place of `missing`. A run that is not as it was recorded is left untouched. What a prune that died had recorded and not deleted, the next one deletes. Such a run cannot be replayed any more. It asks before, or takes --yes; --dry-run deletes and records nothing. Exits 0, 20 where a run was left, 22 where the record could not be made (then nothing is deleted). Example: asfound evidence prune --older-than 90d --dry-run",
  },
  gate: {
    brief: "Decide whether a release goes on, and test that the decision can be no",
    full: "A gate is a file that says what has to be shown before a release goes on: which verifications, which claims, how old evidence may be, how far it has to be trusted, and who has to approve.",
  },
  "gate check": {
    brief: "Say whether a release may go on: by evidence on record, by what is there now, by approvals",
    full: "Takes the newest verdict about each target from the evidence (--evidence), checks its bytes and the chain it stands in, judges what it holds by the gate's own question, looks at what is there now, and counts approvals of that very verdict. Stored evidence alone never promotes, and neither does a look alone. What changed between the two (UID, generation, template, image, config, revision) refuses. Each reason is told by name. It only reads. Exits 0 where it promotes, 23 where evidence, an approval or a precondition is missing, 10 where a claim is refuted, 20 where it cannot be told, 30 where it is under way. Example: asfound gate check -f gate.yaml -o junit",
  },
  "gate test": {
    brief: "Show a gate what it has to refuse, and what it has to let pass; names what slips through",
    full: "Shows the gate built-in states that look like a release that works and are none, each one smallest change of a healthy one: the old commit's 200, Synced and Degraded, no endpoints, another release's body, each cited field missing in turn, evidence that was edited, old or of another trust tier, approvals by others, and more; and the healthy one, which it has to let pass. Each is recorded, checked and judged as for gate check, offline and at fixed times; nothing stays. Then your own saved states (cases in the file). What the gate knowingly does without is written in its file (accepts). Without -f the built-in gate is tested. Exits 0 where all of it holds, 10 where something slips through, by its name. Example: asfound gate test -f gate.yaml",
  },
  key: {
    brief: "Make a key that signs evidence, and record that another one signs from here on",
    full: "Evidence is signed with Ed25519. A signature is worth no more than the place of its private key: whoever controls a host that has it can sign there what they like.",
  },
  "key new": {
    brief: "Make a key pair that signs evidence: FILE (0600) and FILE.pub; writes over nothing",
    full: "Makes an Ed25519 key pair: the private key as PKCS #8 in FILE, readable by its owner alone, the public key as PEM in FILE.pub. Without FILE it lies beside the evidence, where a signature says no more than a digest does, since whoever can write the evidence has the key as well; it says so. Give FILE.pub to whoever is to check, by another way than the evidence. Exits 0, 22 where a file could not be written, 23 where one is there already. Example: asfound key new ~/keys/evidence.pem",
  },
  "key rotate": {
    brief: "Record that another key signs from here on, signed by the one that signed until now",
    full: "Takes the public key that signs from here on, and records it as a run of the chain that the key before signs (--signing-key, else as verify finds it). Whoever trusts the key before then follows to the new one; a later run by the replaced key is refuted. It makes no key: asfound key new does, where the new one is to be. Exits 0, 22 where it could not be recorded, 23 where there is no key before, or it is the same. Example: asfound key rotate new.pem.pub --signing-key old.pem --reason yearly",
  },
  "release diff": {
    brief: "Say in what two recorded releases differ: images, template, config by object and key",
    full: "Compares two releases by their digests, and shows the lines that differ in keys of ConfigMaps that are text. Both are looked for in the folder of releases; one of another folder is named as DIR:ID or DIR:NAME, so that two environments are compared. The same images with other config are half the same release, and it is said. An object that was made again under its name is told apart from one whose content differs. Secrets are compared by keyed digests, if both were recorded with one key. Exits 0 whether they differ or not, 20 where something could not be compared.",
  },
  rollback: {
    brief: "Plan a rollback of template and config as one unit, and say what stands against it",
    full: "A rollback of the template alone does not bring the config back that it names. These verbs look at both before anything is changed.",
  },
  "rollback plan": {
    brief: "Say what a rollback would meet and would change; changes nothing",
    full: "Looks at what a rollback would meet before anything is changed: that every ConfigMap and Secret of the target is there, with the recorded content, and is the same object; that no GitOps controller puts back what it changes; surplus containers, StatefulSet traps, disruption budgets, quota, who may change the config meanwhile, and what no rollback brings back. Says what would change of the template, which objects of config would be written, and which other workloads take config from them. It only reads; Secrets are asked for with --secrets alone. With --from it judges saved files. Exits 0 where nothing stands against it, 23 where it is refused, 20 where something that has to be known is not. Example: asfound rollback plan deployment/web -n shop --to-revision 3",
  },
  "rollback run": {
    brief: "Roll template and config back as one operation, and say what that came to, layer by layer",
    full: "Shows the plan, asks, looks at all of it once more, and carries it out as one operation of the ledger: first the config, where --restore-config was given (ConfigMaps that are gone are made again from the release's bytes, mutable ones that hold something else are written back; Secrets are never written), then the template, as a whole, on this very workload as it was looked at. What changed in between stops it, and nothing is called. A crash leaves a record that asfound reconcile settles. Afterwards it looks at the rollout and at the config: that the rollout is complete, that the next Pod would be given the same, and a time bomb, are told apart, and none of them is called a recovery: with --drill one Pod is replaced, and what comes in its place confirms it or not. Exits 23 where it is refused, 21 where a call is in doubt, 10 where the rollout or its config is refuted, 20 or 30 where that is not shown, else 0. Example: asfound rollback run deployment/web -n shop --to v1 --reason 'v2 answers 503'",
  },
  history: {
    brief: "List what was attempted, by whom, why, and what came of it",
    full: "Lists the operations of the stack, the newest first.",
  },
  show: {
    brief: "Show one operation with its timeline",
    full: "Shows every record of one operation in order: what was to be called, what came back, what was seen, what was decided. `last` is the latest operation.",
  },
  graph: {
    brief: "Show which step needs which",
    full: "Reads the stack file alone. `-o mermaid` and `-o dot` print a drawing for those tools.",
  },
  ledger: {
    brief: "Export, import and back up the ledger",
    full: "The ledger is the only truth about what was attempted.",
  },
  "ledger export": {
    brief: "Print the whole ledger as checked JSON lines",
    full: "Prints every stack, operation and record. The last line counts them and carries a digest over all lines before it.",
  },
  "ledger import": {
    brief: "Make a new ledger from an export",
    full: "Checks every line and every chain of the export, and only then makes the ledger, at a place where there is none.",
  },
  "ledger backup": {
    brief: "Copy the ledger, safely while it is in use, into a new file",
    full: "Writes a consistent copy into a new file. Overwrites nothing.",
  },
  "recover report": {
    brief: "Tell a recovery by Git: what changed, what is synced and runs, and what was only first aid",
    full: "Reads a clone (--git) and the cluster, or a saved state (--from), and changes nothing. Three commits are named: the normal, the failing and the recovery one. Judged is the declared recovery commit and its tree, by all claims about the target and its Application (--application). Told are: whether the recovery has the normal commit's content, or which paths differ; whether a commit changed only what ConfigMaps and Secrets hold, or Pod templates; live edits and Pods that are gone, as first aid, apart from the fix in Git; and both timelines, Git's and the cluster's. With --failed, a state that was saved at the failure, it also tells which Pods are gone and which live edits were undone. asfound recover report deployment/web -n shop --application argocd/shop --git ~/src/shop --normal v1 --failure v2 --recovery HEAD --report web.html. Exits as verify does.",
  },
  recover: {
    brief: "Roll back to a release, replace a Pod to see that it holds, and report it all side by side",
    full: "Looks at the failure, runs the rollback's preflight and the rollback, then drills (--drill), and judges the workload, its config, its reply (--via) and all other workloads of the namespace against what they were. The report has normal, failure and recovery side by side, and says what was not restored and what is left to do. Without a drill a recovery is not confirmed. asfound recover deployment/web -n shop --to v1 --restore-config --drill --allow-namespace shop",
  },
  lab: {
    brief: "See on a cluster of your own what a rollout's status does not show",
    full: "A lab makes a namespace, tells a story in it step by step, and removes it: what was done, what kubectl says, what asfound says, and why.",
  },
  "lab rollback-config": {
    brief: "A rollback that is green and no recovery, and one that is",
    full: "Rolls a template back over a ConfigMap that was edited in place: kubectl rollout status is green, every reply is 200, and the next Pod is broken, which a drill shows. Then the same with immutable ConfigMaps, where the drill proves the recovery. Takes about a minute. asfound lab rollback-config --context kind-test --image nginx:1",
  },
  "lab stale-process": {
    brief: "A fix that reached the ConfigMap and no process",
    full: "Edits a ConfigMap that nginx takes by subPath, and by a whole volume: object, file and process are shown apart. Then a checksum where it does nothing, and where it rolls. Takes one to four minutes: files follow an object when the kubelet next syncs the Pod. asfound lab stale-process --context kind-test --image nginx:1",
  },
  "lab synced-not-served": {
    brief: "A commit that Argo CD synced, and that does not serve",
    full: "Commits a readiness that never comes to a branch of its own, which an Application of Argo CD follows: Synced, then Progressing, then Degraded. Of one Deployment an old Pod goes on answering 200, of the other nobody answers, and the controller's word is the same of both. Takes three minutes, and longer where Argo CD looks for commits seldom. asfound lab synced-not-served --context kind-test --image nginx:1 --repository https://git.example/lab.git",
  },
  "lab git-recovery": {
    brief: "A recovery by git revert, and what is none",
    full: "Commits what does not become ready to a branch of its own, which an Application of Argo CD follows, and takes it back by git revert: another commit with an equal tree, and proven. Then a pinned Application, which a newer commit of the branch does not reach, and a live edit that selfHeal undoes. Takes two minutes, and longer where Argo CD looks for commits seldom. asfound lab git-recovery --context kind-test --image nginx:1 --repository https://git.example/lab.git",
  },
  doctor: {
    brief: "Check whether asfound can work here",
    full: "Looks at the Node version, the stack file, the ledger, the lock and the spool, and says what is wrong and what to do. Changes nothing.",
  },
  completion: {
    brief: "Print a script that completes asfound's commands in your shell",
    full: "bash: source <(asfound completion bash). zsh: put it into a file named _asfound on your fpath. fish: asfound completion fish | source.",
  },
} as const satisfies Record<string, VerbText>;

/** What stands behind a verb. */
export const ARGUMENT = {
  step: "A step's name",
  destroySteps: "Only these steps, with what they contain (all steps)",
  operation: "An operation's id, or last",
  target: "What is judged, as kubectl names it: deployment/web",
  targets:
    "What is judged: deployment/web; with -l, --all or -A kinds (deployments,sts), or none for all workloads",
  traced:
    "What is traced: deployment/web; configmap/NAME for all its consumers; with -l, --all or -A kinds (deployments,sts), or none for all workloads",
  newFolder: "A folder that is new, or empty",
  exportFile: "What ledger export printed",
  backupFile: "A new file",
  shell: "bash, zsh or fish",
  release: "A release's id or name",
  earlierRelease: "A release's id or name, or DIR:ID of another folder",
  laterRelease: "The one it is compared with",
  releasesOf: "Of this workload alone: deployment/web",
  evidenceTarget: "Only runs about this target",
  exportTo: "A new folder, or a new file that ends in .tar",
  evidenceRun: "A run's id, its number, or latest (all of them)",
  keyFile: "A new file (signing-key.pem beside the evidence)",
  publicKeyFile: "The public key that signs from here on",
} as const;
