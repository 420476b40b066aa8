#!/bin/sh
# A file, as asfound's exec provider asks for one. AT and TEXT come from the stack file.
set -eu
case $ASFOUND_ACTION in
observe)
  if [ ! -e "$AT" ]; then
    echo '{"present":false}'
  else
    declared=false
    if [ "$(cat "$AT")" = "$TEXT" ]; then declared=true; fi
    echo "{\"present\":true,\"id\":\"$AT\",\"asDeclared\":$declared,\"outputs\":{\"bytes\":$(wc -c <"$AT" | tr -d ' ')}}"
  fi
  ;;
create | update)
  mkdir -p "$(dirname "$AT")"
  printf '%s\n' "$TEXT" >"$AT.new"
  mv "$AT.new" "$AT"
  echo "{\"outcome\":\"done\",\"id\":\"$AT\"}"
  ;;
destroy)
  rm -f "$AT"
  echo '{"outcome":"done"}'
  ;;
esac
