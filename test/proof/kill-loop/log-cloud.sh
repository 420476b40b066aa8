#!/bin/sh
# A cloud whose log is its only memory: an object is there because a line says that it was created and none that it was
# destroyed. So whatever is killed at whatever moment, the log and the objects cannot disagree, which the loop counts on
# and test/fixtures/cloud (objects beside a log) does not promise. One call at a time writes, by a lock that the kernel
# drops when its holder dies.
#
#   log-cloud.sh FOLDER CLASS      CLASS: once keyed named idempotent (how a create is told apart from one sent before),
#                                  or deaf: it makes another each time and finds by id alone. Deaf breaks its word.
#
#   call ACTION STEP KEY OPERATION ATTEMPT     everything that was sent
#   created ID STEP KEY WITHIN SIZE · updated ID SIZE · destroyed ID · told ID KEY OPERATION
#
# A fault is a file FOLDER/faults/ACTION-STEP, used once: POINT WHAT, the point being before or after the effect, or
# told, after the result line; what: asfound, provider, both (killed with -9), slow (a nap), lose (no result).
# FOLDER/blind: no reading is answered.
set -u
log=$1/log class=$2 action=$ASFOUND_ACTION step=$ASFOUND_STEP key=${ASFOUND_KEY:-none} id=${ASFOUND_ID:-}
# Half a request is none: asfound was killed while it wrote it.
read -r input || exit 1
keys=${input#*\"keys\":[} keys=${keys%%]*} size=none within=none
case $input in *'"size":"'*) size=${input#*\"size\":\"} size=${size%%\"*} ;; esac
case $input in *'"within":"'*) within=${input#*\"within\":\"} within=${within%%\"*} ;; esac

say() { printf '%s\n' "$*" >> "$log"; }
# The live objects that are meant, as lines "ID SIZE".
live() {
  awk -v by="$1" -v id="$id" -v keys="$keys" -v key="$key" -v step="$step" '
    $1 == "created" { of[$2] = $3; key_of[$2] = $4; within[$2] = $5; size[$2] = $6 }
    $1 == "updated" { size[$2] = $3 }
    $1 == "destroyed" { delete of[$2] }
    END { for (one in of) if ((by == "id" && one == id) || (by == "keys" && index(keys, "\"" key_of[one] "\"")) ||
      (by == "key" && key_of[one] == key) || (by == "step" && of[one] == step) || (by == "within" && within[one] == step))
      print one, size[one] }' "$log"
}
# How an object is found without its id.
case $class in named | idempotent) look=step ;; deaf) look=id ;; *) look=keys ;; esac

# Only a process of the loop: never the test's own, nor whoever took us over when asfound was dead already.
kill_asfound() { grep -qa scenarios/driver.ts "/proc/$PPID/cmdline" 2>/dev/null && kill -9 "$PPID"; }
fault="" fault_file="$1/faults/$action-$step"
if [ -f "$fault_file" ] && mv "$fault_file" "$fault_file.$$" 2>/dev/null; then
  read -r fault < "$fault_file.$$"
  say "fault $action $step $fault"
fi
strikes() {
  case $fault in
  "$1 asfound") kill_asfound; sleep 0.3 ;;
  "$1 provider") kill -9 $$ ;;
  "$1 both") kill_asfound; kill -9 $$ ;;
  "$1 slow") sleep 0.3 ;;
  "$1 lose") exit 0 ;;
  esac
}

if [ "$action" = observe ]; then
  [ -f "$1/blind" ] && { echo "the cloud does not answer" >&2; exit 1; }
  [ -f "$log" ] || : >> "$log"
  strikes before
  found=""
  [ -n "$id" ] && found=$(live id)
  [ -z "$found" ] && found=$(live $look)
  case $found in
  "") echo '{"present":false}' ;;
  *"
"*) printf '{"ambiguous":[%s]}\n' "$(printf '%s\n' "$found" | sed 's/ .*//; s/.*/"&"/' | paste -s -d , -)" ;;
  *)
    declared=false
    [ "${found#* }" = "$size" ] && declared=true
    printf '{"present":true,"id":"%s","asDeclared":%s,"outputs":{"seen":"%s"}}\n' "${found%% *}" $declared "${found%% *}" ;;
  esac
  exit 0
fi

say "call $action $step $key $ASFOUND_OPERATION $ASFOUND_ATTEMPT"
strikes before
exec 9>> "$1/lock"
flock 9
case $action in
create)
  case $class in keyed) found=$(live key) ;; named | idempotent) found=$(live step) ;; *) found="" ;; esac
  if [ -n "$found" ] && [ "$class" = named ]; then echo '{"outcome":"failed","reason":"409: that name exists"}'; exit 0; fi
  if [ -n "$found" ]; then id=${found%% *}; else
    read -r id < /proc/sys/kernel/random/uuid
    id="$step-$id"
    say "created $id $step $key $within $size"
  fi ;;
update)
  if [ -z "$(live id)" ]; then echo '{"outcome":"refused","reason":"404: there is no such thing"}'; exit 0; fi
  say "updated $id $size" ;;
destroy)
  if [ -n "$id" ]; then found=$(live id); else found=$(live $look); fi
  if [ -n "$found" ]; then
    for one in $(printf '%s\n' "$found" | sed 's/ .*//'); do say "destroyed $one"; done
    for one in $(live within | sed 's/ .*//'); do say "destroyed $one"; done
  fi ;;
esac
exec 9>&-
strikes after
[ "$action" = create ] && say "told $id $key $ASFOUND_OPERATION"
if [ -n "$id" ]; then printf '{"outcome":"done","id":"%s","outputs":{"name":"%s"}}\n' "$id" "$id"; else echo '{"outcome":"done"}'; fi
strikes told
exit 0
