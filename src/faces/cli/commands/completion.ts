/** completion: a script for the shell that asks asfound itself at each Tab, so that it can never be out of date. */
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import { Usage } from "../usage.ts";

export function completion(this: Cli, _flags: Everywhere, shell: string): void {
  const script = SCRIPTS.get(shell);
  if (script === undefined) throw new Usage(`completion knows bash, zsh and fish, and not ${shell}`);
  this.terminal.out.write(script);
}

/** `asfound __complete WORD…` prints `completion<TAB>what it is` lines for the last word. */
const SCRIPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: `# asfound for bash: source <(asfound completion bash)
_asfound() {
  local IFS=$'\\n'
  COMPREPLY=()
  local line
  for line in $("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done
}
complete -o default -F _asfound asfound
`,
    zsh: `#compdef asfound
# asfound for zsh: asfound completion zsh > "\${fpath[1]}/_asfound"
_asfound() {
  local -a found
  local line
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe asfound found; else _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _asfound "$@"; else compdef _asfound asfound; fi
`,
    fish: `# asfound for fish: asfound completion fish | source
function __asfound_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c asfound -a '(__asfound_complete)'
`,
  }),
);
