#!/usr/bin/env bash
# Instructions an operation inside the clock, by callgrind: they do not drift with the machine.
#   scripts/callgrind.sh WORKLOAD PEER...     N=10000 rows unless set; PROGRAM=databench, or counts for datamonk alone
# Prints `WORKLOAD PEER INSTRUCTIONS`; leaves .work/callgrind/PEER.WORKLOAD for callgrind_annotate.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
n=${N:-10000} program=${PROGRAM:-databench}
work=.work/callgrind
workload=$1
shift
mkdir -p "$work"
# valgrind 3.19 gives up on the debug information that Swift 6.3 writes; names of functions are enough.
strip --strip-debug -o "$work/$program" ".build/release/$program"
# Sets and dictionaries in the same order every time.
export SWIFT_DETERMINISTIC_HASHING=1
# The C library copies memory by other instructions on other processors, and callgrind counts each turn of a string instruction.
# These are the same on all.
hwcaps=-ERMS,-FSRM,-AVX_Fast_Unaligned_Load,-AVX2,-AVX512F,-AVX512VL
export GLIBC_TUNABLES=glibc.cpu.hwcaps=$hwcaps:glibc.cpu.x86_non_temporal_threshold=0x1000000
for peer in "$@"; do
    run=("$work/$program" --single --rounds 1 --quiet --workloads "$workload" --peers "$peer" --n "$n" --dir "$work")
    run+=(--reduce "${REDUCE:-1}")
    "${run[@]}" # Leaves the template, which valgrind would take a minute to make.
    count=$(valgrind --tool=callgrind --callgrind-out-file="$work/$peer.$workload" --toggle-collect='*clocked*' \
        "${run[@]}" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
    [[ -n $count ]] || { echo "valgrind has counted nothing for $workload $peer" >&2 && exit 1; }
    echo "$workload $peer $((count / n))"
done
