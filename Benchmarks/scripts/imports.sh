#!/usr/bin/env bash
# W18: imports and exports of COUNT rows beside those of SMALL, ROUNDS times each, and what must hold of them. Fails if
# - the most memory of COUNT rows is over 1.2 times that of SMALL, for an import of JSON lines, of rows or of CSV, or an export
# - an import of JSON lines or of rows has less than half the rate of the batch insert of the same rows
# The figures are medians. The lines themselves go to the standard error as they come. 300,000 rows fill SQLite's page cache of
# 16 MiB, 100,000 do not (README.md).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
COUNT=${COUNT:-1000000} SMALL=${SMALL:-300000} ROUNDS=${ROUNDS:-3}
swift build -c release --product imports >&2
for ((round = 1; round <= ROUNDS; round++)); do
    for count in "$SMALL" "$COUNT"; do
        .build/release/imports "$count" batch rows lines cells to-lines to-cells
    done
done | tee /dev/stderr | awk -v small="$SMALL" -v count="$COUNT" '
    function median(text, parts, n, i, j, swap) {
        n = split(text, parts, " ")
        for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++)
            if (parts[j] + 0 < parts[i] + 0) { swap = parts[i]; parts[i] = parts[j]; parts[j] = swap }
        return parts[int((n + 1) / 2)]
    }
    function require(isMet, text) { print (isMet ? "ok      " : "MISSED  ") text; if (!isMet) status = 1 }
    { rates[$1, $2] = rates[$1, $2] " " $6; memory[$1, $2] = memory[$1, $2] " " $8 }
    END {
        names = split("lines rows cells to-lines to-cells", ways, " ")
        for (i = 1; i <= names; i++) {
            few = median(memory[ways[i], small]); many = median(memory[ways[i], count])
            require(many <= 1.2 * few, ways[i] ": " many " MB of " count " rows, " few " MB of " small)
        }
        batch = median(rates["batch", count])
        for (i = 1; i <= 2; i++) {
            rate = median(rates[ways[i], count])
            require(rate >= batch / 2, ways[i] ": " rate " rows a second, " batch " of a batch insert")
        }
        exit status
    }'
