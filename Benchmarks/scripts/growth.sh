#!/usr/bin/env bash
# Whether work on ten times as many objects takes at most fifteen times the instructions, commits beside idle contexts at most
# 1.2 times those beside none, and moves in a list of ten times the length at most 1.5 times (also with MANY=100000), by
# callgrind.
#   scripts/growth.sh [SCENARIO...]     builds `growth`, counts; FEW=1000 MANY=10000 unless set
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
few=${FEW:-1000} many=${MANY:-10000}
scenarios=("$@")
((${#scenarios[@]})) || scenarios=(delete undo cascade chain upsert edit find idle list)
work=.work/growth

command -v valgrind > /dev/null || { echo "growth.sh needs valgrind" >&2 && exit 2; }
# As in CI, so that nothing is built twice.
swift build -c release -debug-info-format none --product growth
mkdir -p "$work"
# valgrind 3.19 gives up on the debug information that Swift 6.3 writes; names of functions are enough.
strip --strip-debug -o "$work/program" .build/release/growth
# Sets and dictionaries in the same order every time.
export SWIFT_DETERMINISTIC_HASHING=1

count() {
    local counted
    counted=$(valgrind --tool=callgrind --callgrind-out-file="$work/$1.$2" --toggle-collect='*measured*' \
        "$work/program" "$1" "$2" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
    [[ -n $counted && $counted != 0 ]] || { echo "valgrind has counted nothing for $1 of $2" >&2 && exit 1; }
    echo "$counted"
}

failed=0
for scenario in "${scenarios[@]}"; do
    # What is compared, and how many tenths of the first it may take.
    sizes=("$few" "$many") allowed=$((many * 15 / few))
    case $scenario in
        idle) sizes=(0 "$few" "$many") allowed=12 ;;
        list) allowed=15 ;;
    esac
    first=$(count "$scenario" "${sizes[0]}")
    for size in "${sizes[@]:1}"; do
        counted=$(count "$scenario" "$size")
        printf '%s: %d instructions for %d objects, %d for %d: %.2f times\n' "$scenario" "$first" "${sizes[0]}" \
            "$counted" "$size" "$(awk -v a="$counted" -v b="$first" 'BEGIN { print a / b }')"
        ((counted * 10 <= first * allowed)) || failed=1
    done
done
if ((failed)); then
    echo "More than 1.5 times as many instructions an object, 1.2 times beside idle contexts, or 1.5 times a move in a" >&2
    echo "longer list. Find the cause with" >&2
    echo "callgrind_annotate Benchmarks/$work/SCENARIO.$many." >&2
    exit 1
fi
