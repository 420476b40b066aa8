/** Two files, made by one POSIX shell script that asfound calls: nothing to install, and really applied. */
import { SCHEMA_LINE, type Starter } from "./starter.ts";

const stackFile = (name: string): string => `${SCHEMA_LINE}
#
# Two steps, each a small file. asfound calls asfound-example/file.sh to observe, create, update and destroy it.
# Try: change a TEXT and run \`asfound plan\`; delete a file by hand and run \`asfound reconcile\`.
apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: ${JSON.stringify(name)} }

steps:
  greeting:
    uses: exec
    retry: idempotent # writing the same file twice does no harm
    with:
      observe: [sh, asfound-example/file.sh]
      create: [sh, asfound-example/file.sh]
      update: [sh, asfound-example/file.sh]
      destroy: [sh, asfound-example/file.sh]
      environment: { FILE: asfound-example/greeting.txt, TEXT: Hello from asfound }

  receipt:
    uses: exec
    retry: idempotent
    with:
      observe: [sh, asfound-example/file.sh]
      create: [sh, asfound-example/file.sh]
      update: [sh, asfound-example/file.sh]
      destroy: [sh, asfound-example/file.sh]
      environment:
        FILE: asfound-example/receipt.txt
        # An output of another step: receipt needs greeting, without being told.
        TEXT: "The greeting has \${steps.greeting.outputs.bytes} bytes"
`;

const SCRIPT = `#!/bin/sh
# One thing, a file, for asfound's exec provider. The action comes in ASFOUND_ACTION (and, with everything else, as JSON
# on the input, which a shell can do without); FILE and TEXT come from the stack file. The last line printed is the result.
set -eu

case $ASFOUND_ACTION in
observe)
  if [ ! -e "$FILE" ]; then
    echo '{"present":false}'
  else
    declared=false
    if [ "$(cat "$FILE")" = "$TEXT" ]; then declared=true; fi
    echo "{\\"present\\":true,\\"id\\":\\"$FILE\\",\\"asDeclared\\":$declared,\\"outputs\\":{\\"bytes\\":$(wc -c <"$FILE" | tr -d ' ')}}"
  fi
  ;;
create | update)
  echo "writing $FILE"
  # Whole or not at all: written beside it, then moved into place.
  printf '%s\\n' "$TEXT" >"$FILE.new"
  mv "$FILE.new" "$FILE"
  echo "{\\"outcome\\":\\"done\\",\\"id\\":\\"$FILE\\"}"
  ;;
destroy)
  rm -f "$FILE"
  echo '{"outcome":"done"}'
  ;;
*)
  echo "{\\"outcome\\":\\"refused\\",\\"reason\\":\\"file.sh knows no action $ASFOUND_ACTION\\"}"
  ;;
esac
`;

export const execStarter = (name: string): Starter => ({
  files: new Map([
    ["asfound-example/file.sh", SCRIPT],
    ["asfound.yaml", stackFile(name)],
  ]),
  next: [
    { command: "asfound plan", why: "shows what apply would do" },
    { command: "asfound apply", why: "does it; it asks first" },
    { command: "asfound destroy", why: "removes it again" },
  ],
});
