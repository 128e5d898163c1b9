#!/usr/bin/env bash
# W18: imports and exports of COUNT rows beside those of SMALL, ROUNDS times each, and what must hold of them. Fails if
# - the most memory of COUNT rows is over 1.2 times that of SMALL, for an import of JSON lines, of rows or of CSV, or that of
#   EXPORTED for an export, which keeps the objects' ids
# - an import of JSON lines or of rows has less than half the rate of the batch insert of the same rows
# The figures are medians. The lines themselves go to the standard error as they come.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
COUNT=${COUNT:-1000000} SMALL=${SMALL:-100000} EXPORTED=${EXPORTED:-300000} ROUNDS=${ROUNDS:-3}
# As in CI, so that nothing is built twice.
swift build -c release -debug-info-format none --product imports >&2
for ((round = 1; round <= ROUNDS; round++)); do
    .build/release/imports "$SMALL" batch rows lines cells
    .build/release/imports "$EXPORTED" to-lines to-cells
    .build/release/imports "$COUNT" batch rows lines cells to-lines to-cells
done | tee /dev/stderr | awk -v small="$SMALL" -v exported="$EXPORTED" -v count="$COUNT" '
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
            base = ways[i] ~ /^to-/ ? exported : small
            few = median(memory[ways[i], base]); many = median(memory[ways[i], count])
            require(many <= 1.2 * few, ways[i] ": " many " MB of " count " rows, " few " MB of " base)
        }
        batch = median(rates["batch", count])
        for (i = 1; i <= 2; i++) {
            rate = median(rates[ways[i], count])
            require(rate >= batch / 2, ways[i] ": " rate " rows a second, " batch " of a batch insert")
        }
        exit status
    }'
