#!/bin/sh
# A folder, as asfound's exec provider asks for one. AT comes from the stack file.
set -eu
case $ASFOUND_ACTION in
observe)
  if [ -d "$AT" ]; then
    echo "{\"present\":true,\"id\":\"$AT\",\"asDeclared\":true,\"outputs\":{\"path\":\"$AT\"}}"
  else
    echo '{"present":false}'
  fi
  ;;
create)
  mkdir -p "$AT"
  echo "{\"outcome\":\"done\",\"id\":\"$AT\"}"
  ;;
destroy)
  rm -rf "$AT"
  echo '{"outcome":"done"}'
  ;;
esac
