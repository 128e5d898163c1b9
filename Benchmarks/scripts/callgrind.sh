#!/bin/sh
# Instructions an operation inside the clock, by callgrind: they do not drift with the machine.
#   scripts/callgrind.sh WORKLOAD PEER...     N=10000 rows unless set
# Leaves .work/callgrind/PEER.WORKLOAD for callgrind_annotate.
set -e
cd "$(dirname "$0")/.."
n=${N:-10000}
workload=$1
shift
mkdir -p .work/callgrind
# valgrind 3.19 gives up on the debug information that Swift 6.3 writes; names of functions are enough.
strip --strip-debug -o .work/callgrind/databench .build/release/databench
for peer in "$@"; do
  out=.work/callgrind/$peer.$workload
  count=$(valgrind --tool=callgrind --callgrind-out-file="$out" --toggle-collect='*clocked*' \
      .work/callgrind/databench --single --rounds 1 --quiet --workloads "$workload" --peers "$peer" --n "$n" \
      --reduce "${REDUCE:-1}" --dir .work/callgrind 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
  echo "$workload $peer $((count / n)) instructions a row of $n"
done
