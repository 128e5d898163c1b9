#!/usr/bin/env bash
# W17: instructions a read and a write of each type of attribute take, the call and the return included, as a Markdown table.
#   scripts/accessors.sh     TIMES=100000 of each unless set
# The first write, which gives the object a row of its own, is a hundred-thousandth of the others here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
times=${TIMES:-100000}
N=$times PROGRAM=${PROGRAM:-counts} scripts/callgrind.sh W17 datamonk > /dev/null
echo "Instructions an access; targets: a scalar's read under 25, its write under 80."
echo
echo "| type | read | write |"
echo "|---|---:|---:|"
callgrind_annotate --inclusive=yes --threshold=100 .work/callgrind/datamonk.W17 |
    awk -v times="$times" '
        match($0, /BenchDataMonk[0-9]*[0-9](read|write)[A-Z][A-Za-z0-9]*33_/) {
            # $s13BenchDataMonk8readBool33_…: the name stands behind its length.
            name = substr($0, RSTART, RLENGTH - 3)
            sub(/^BenchDataMonk[0-9]*/, "", name)
            kind = name ~ /^read/ ? "read" : "write"
            sub(/^(read|write)/, "", name)
            gsub(/,/, "", $1)
            if (!((name, kind) in seen)) { order[++count] = name; seen[name, kind] = $1 / times }
        }
        END {
            for (i = 1; i <= count; i++) {
                name = order[i]
                if (done[name]++) continue
                printf "| %s | %d | %d |\n", name, seen[name, "read"], seen[name, "write"]
            }
        }' | sort
