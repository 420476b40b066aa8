#!/bin/sh
# A cloud of one file: each line is a machine, "ID KEY". The key that asfound sends is kept with the machine, so that it
# can be found by it. Loses its replies, and answers no question, while out/cut is there.
set -eu
mkdir -p out
touch out/cloud.txt
case $ASFOUND_ACTION in
observe)
  if [ -e out/cut ]; then
    echo "the line is cut" >&2
    exit 1
  fi
  id=$(awk -v key="$ASFOUND_KEY" '$2 == key { print $1 }' out/cloud.txt)
  if [ -n "$id" ]; then
    echo "{\"present\":true,\"id\":\"$id\",\"asDeclared\":true}"
  else
    echo '{"present":false}'
  fi
  ;;
create)
  id=m-$(awk 'END { print NR + 1 }' out/cloud.txt)
  echo "$id $ASFOUND_KEY" >>out/cloud.txt
  if [ -e out/cut ]; then exit 1; fi
  echo "{\"outcome\":\"done\",\"id\":\"$id\"}"
  ;;
destroy)
  awk -v id="$ASFOUND_ID" '$1 != id' out/cloud.txt >out/cloud.new
  mv out/cloud.new out/cloud.txt
  echo '{"outcome":"done"}'
  ;;
esac
