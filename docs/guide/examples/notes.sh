#!/bin/sh
# An exec provider in plain sh: a note is a file in $NOTES, named by its id; its first line is the key that made it, its
# second the text. What is declared comes as variables ($NOTES, $TEXT: `environment` of the step), so no JSON is parsed.
set -eu
mkdir -p "$NOTES"

# The request is one JSON object on stdin. Half of one, or none, is of an asfound that died: nothing is begun.
request=$(cat)
case $request in *'}') ;; *) exit 1 ;; esac

# Every key ever sent for this note stands in it.
keys=$(printf '%s' "$request" | grep -o '"asf-[0-9a-f-]*"' | tr -d '"' | sort -u)

# The recorded id, or the note that one of the keys made.
found() {
  if [ -n "${ASFOUND_ID:-}" ]; then
    if [ -f "$NOTES/$ASFOUND_ID" ]; then echo "$ASFOUND_ID"; fi
    return 0
  fi
  for key in $keys; do
    for file in "$NOTES"/note-*; do
      if [ -f "$file" ] && [ "$(head -n 1 "$file")" = "$key" ]; then basename "$file"; fi
    done
  done
}

# Whole or not at all: a half-written note must not be found.
write() {
  printf '%s\n%s\n' "$2" "$TEXT" > "$NOTES/.new-$1"
  mv "$NOTES/.new-$1" "$NOTES/$1"
}

case $ASFOUND_ACTION in
observe)
  id=$(found)
  if [ -z "$id" ]; then
    echo '{"present":false}'
  elif [ "$(sed -n 2p "$NOTES/$id")" = "$TEXT" ]; then
    printf '{"present":true,"id":"%s","asDeclared":true}\n' "$id"
  else
    printf '{"present":true,"id":"%s","asDeclared":false,"reason":"its text differs"}\n' "$id"
  fi
  ;;
create)
  id=note-$$-$ASFOUND_ATTEMPT
  printf '{"id":"%s"}\n' "$id" # known before it exists: asfound commits it at once
  write "$id" "$ASFOUND_KEY"
  printf '{"outcome":"done","id":"%s"}\n' "$id"
  ;;
update)
  if [ -z "$(found)" ]; then
    echo '{"outcome":"refused","reason":"there is no such note"}'
  else
    write "$ASFOUND_ID" "$(head -n 1 "$NOTES/$ASFOUND_ID")"
    echo '{"outcome":"done"}'
  fi
  ;;
destroy)
  rm -f "$NOTES/$ASFOUND_ID"
  echo '{"outcome":"done"}'
  ;;
esac
