#!/usr/bin/env bash
# Whether DataMonk's inner loops take more instructions than they did: callgrind counts them, and they do not drift with the
# machine. Fails on 2 % more than thresholds.txt says.
#   scripts/thresholds.sh             builds `counts`, compares
#   scripts/thresholds.sh --refresh   builds it, writes thresholds.txt anew: after a change that is worth its cost, or that
#                                     has made something faster, or with other versions
# Another compiler, SQLite or valgrind counts something else; then the figures are shown, and nothing fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
file=thresholds.txt
workloads=(W1 W2 W5 W7 W8 W9)
# Per cent.
tolerated=2

versions() {
    swift --version 2> /dev/null | sed -n 's/.*Swift version \([^ ]*\).*/swift \1/p'
    echo "sqlite $(dpkg-query --show --showformat='${Version}' libsqlite3-0 2> /dev/null || sqlite3 --version)"
    echo "$(valgrind --version | tr - ' ')"
    echo "machine $(uname -m)"
}

counts() {
    local workload
    for workload in "${workloads[@]}"; do
        N=5000 PROGRAM=counts scripts/callgrind.sh "$workload" datamonk | awk '{ print $1, $3 }'
    done
}

refresh() {
    {
        echo "# Instructions a row in DataMonk's inner loops, by scripts/thresholds.sh --refresh, with these versions:"
        versions | sed 's/^/# /'
        counts
    } > "$file.new"
    mv "$file.new" "$file"
    cat "$file"
}

compare() {
    local known comparable=1 failed=0 workload count limit counted
    known=$(sed -n 's/^# //p' "$file" | tail -n +2)
    if [[ $known != "$(versions)" ]]; then
        comparable=0
        printf 'Counted with other versions, so the figures tell little. Then:\n%s\nNow:\n%s\n' "$known" "$(versions)"
    fi
    counted=$(counts) # Not in the loop's own redirection, where a failure would be lost.
    while read -r workload count; do
        limit=$(awk -v workload="$workload" '$1 == workload { print $2 }' "$file")
        [[ -n $limit ]] || { echo "$file says nothing of $workload: scripts/thresholds.sh --refresh" && return 1; }
        printf '%s: %d instructions a row, %+.1f %% of %d\n' "$workload" "$count" \
            "$(awk -v a="$count" -v b="$limit" 'BEGIN { print (a - b) * 100 / b }')" "$limit"
        ((count * 100 > limit * (100 + tolerated) && comparable)) && failed=1
    done <<< "$counted"
    if ((failed)); then
        echo "More than $tolerated % above $file. Find the cause with scripts/callgrind.sh and callgrind_annotate; if it is"
        echo "worth the cost: Benchmarks/scripts/thresholds.sh --refresh"
        return 1
    fi
}

command -v valgrind > /dev/null || { echo "thresholds.sh needs valgrind" >&2 && exit 2; }
# As in CI, so that nothing is built twice.
swift build -c release -debug-info-format none --product counts
if [[ ${1:-} == --refresh ]]; then refresh; else compare; fi
