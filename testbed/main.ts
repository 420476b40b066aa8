/** `npm run testbed -- VERB`: a real Kubernetes in namespaces of its own, for tests. */
import { parseArgs } from "node:util";
import { BY_NAME, COMPONENTS, EXTRAS } from "./component-name.ts";
import { EXIT_OF, TestbedFault } from "./fault.ts";
import { placeOf } from "./place.ts";
import { VERBS } from "./verbs.ts";

const USAGE = `usage: npm run testbed -- VERB [--name NAME]

  setup [EXTRA...]    install the Debian packages and build the Go tools that are missing (root; minutes, once)
  up                  start the cluster; nothing happens when it is up
  status [-o json]    what lives, since when, which versions
  kubeconfig          print the path of the administrator's kubeconfig
  exec CMD...         run a command inside: its network, files and processes, with kubectl on the PATH
  exec --net CMD...   run a command in its network only, on this machine's files (tests run so)
  stop PART [--kill]  end one part of the cluster; with --kill as a crash would
  start PART          start it again; an EXTRA is started so in the first place
  push VERSION [TAG]  put the test app's image of that version into the registry, under that tag
  crowd N REPLICAS    make N Deployments of that many Pods each, in the namespace crowd, with kwok
  reset               empty the cluster: as after \`up\`, with the same kubeconfig
  down                end it and remove all of it, whatever state it is in

NAME tells several testbeds apart: --name, else ASFOUND_TESTBED_NAME, else main.
PART is one of ${COMPONENTS.join(", ")}, ${BY_NAME.join(", ")}.
EXTRA is ${EXTRAS.join(" or ")}: an Ingress and Gateway controller, and nodes and Pods that only seem to be there;
\`setup argocd\` builds Argo CD, and \`start argocd\` starts its parts with redis and a Git server;
\`setup helm\` and \`setup kustomize\` build programs that are part of no cluster.`;

const carryOut = async (words: readonly string[]): Promise<number> => {
  // Everything behind `exec` is the command's own.
  const exec = words.indexOf("exec");
  const { values, positionals } = parseArgs({
    args: words.slice(0, exec === -1 ? words.length : exec + 1),
    allowPositionals: true,
    options: {
      name: { type: "string" },
      output: { type: "string", short: "o" },
      kill: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [verb = "", ...rest] = positionals;
  if (values.help || verb === "help") {
    console.log(USAGE);
    return 0;
  }
  const work = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (work === undefined)
    throw new TestbedFault(
      "usage",
      `${verb === "" ? "a verb is missing" : `there is no verb ${verb}`}\n${USAGE}`,
    );
  const place = placeOf(values.name, process.env);
  return await work(place, verb === "exec" ? words.slice(exec + 1) : rest, {
    json: values.output === "json",
    kill: values.kill,
  });
};

/** Tells a fault in its one sentence; anything else is a bug, and ends the process with its trace. */
const told = (error: unknown): number => {
  if (error instanceof TestbedFault) {
    console.error(`testbed: ${error.message}`);
    return EXIT_OF[error.kind];
  }
  if ((error as { readonly code?: string }).code?.startsWith("ERR_PARSE_ARGS_") === true) {
    console.error(`testbed: ${(error as Error).message}\n${USAGE}`);
    return EXIT_OF.usage;
  }
  throw error;
};

try {
  process.exitCode = await carryOut(process.argv.slice(2));
} catch (error) {
  process.exitCode = told(error);
}
