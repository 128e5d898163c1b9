#!/usr/bin/env bash
# Everything, or one part: ./run.sh [swift|python|scale|accessors|callgrind|suites|figures|all]
#   N=100000 ROUNDS=7 PEERS=raw,datamonk,...   what the main table runs
#   COUNTS=10000,1000000 SCALE_ROUNDS=3        what the table by numbers of rows runs, beside the main table's own
# Builds first. Tables go to results/PART.md, samples to results/PART.json; `figures` writes them into FIGURES.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
N=${N:-100000} ROUNDS=${ROUNDS:-7} PYTHON_N=${PYTHON_N:-20000} PYTHON_ROUNDS=${PYTHON_ROUNDS:-5}
PEERS=${PEERS:-raw,raw+pragmas,raw+bookkeeping,grdb-conn,grdb-record,grdb-codable,lean,datamonk}
COUNTS=${COUNTS:-10000,1000000} SCALE_ROUNDS=${SCALE_ROUNDS:-3}
bench=$PWD/.build/release/databench
work=$PWD/.work
mkdir -p results .work
swift build -c release

swift_table() {
    "$bench" --n "$N" --rounds "$ROUNDS" --dir "$work" --json results/swift.json --peers "$PEERS" \
        --baseline raw,raw+bookkeeping,grdb-record | tee results/swift.md
}

python_table() {
    [[ -x .venv/bin/python ]] || { python3 -m venv .venv && .venv/bin/pip install -q sqlalchemy; }
    rm -f results/python-*.json
    local round
    for ((round = 1; round <= PYTHON_ROUNDS; round++)); do # a process of each in turn: the same minute for both
        "$bench" --n "$PYTHON_N" --rounds 1 --quiet --dir "$work" --peers raw,raw+bookkeeping \
            --json "results/python-raw-$round.json" --workloads W1,W5,W6,W9,W2,W2w,W3,W3i,W4,W7,W7w,W7s,W8,W8L,W9F
        sed -i "s/\"round\":1/\"round\":$round/g" "results/python-raw-$round.json"
        .venv/bin/python python/bench.py --n "$PYTHON_N" --rounds 1 --first-round "$round" --dir "$work" \
            --json "results/python-$round.json"
    done
    "$bench" --report "$(joined results/python-*.json)" | tee results/python.md
}

# The workloads whose cost must not depend on how many rows there are, and the start.
scale_table() {
    "$bench" --n "$COUNTS" --rounds "$SCALE_ROUNDS" --dir "$work" --json results/scale.json \
        --peers raw,raw+bookkeeping,datamonk --baseline raw,raw+bookkeeping \
        --workloads W1,W2,W2w,W3i,W7,W8,W16,W16c,W16e,W16ec | tee results/scale.md
}

accessors() { scripts/accessors.sh | tee results/accessors.md; }

callgrind() {
    local workload
    for workload in W1 W2 W5 W7 W9; do
        scripts/callgrind.sh "$workload" raw lean grdb-conn grdb-record grdb-codable datamonk
    done | tee results/callgrind.txt
}

suites() { BUILT=1 scripts/suites.sh; }

figures() {
    "$bench" --report "$(joined results/*.json)" --quiet --figures FIGURES.md
}

joined() {
    local IFS=,
    echo "$*"
}

case ${1:-all} in
    swift) swift_table ;;
    python) python_table ;;
    scale) scale_table ;;
    accessors) accessors ;;
    callgrind) callgrind ;;
    suites) suites ;;
    figures) figures ;;
    all)
        swift_table
        python_table
        scale_table
        accessors
        callgrind
        suites
        figures
        ;;
    *)
        sed -n 2,5p "$0"
        exit 2
        ;;
esac
