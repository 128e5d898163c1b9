#!/bin/sh
# Everything, or one part: ./run.sh [swift|python|callgrind|all]
#   N=100000 ROUNDS=7 PEERS=raw,datamonk,...   what the Swift table runs
# Builds first. Tables go to results/PART.md, samples to results/PART.json.
set -e
cd "$(dirname "$0")"
N=${N:-100000} ROUNDS=${ROUNDS:-7} PYTHON_N=${PYTHON_N:-20000} PYTHON_ROUNDS=${PYTHON_ROUNDS:-5}
PEERS=${PEERS:-raw,raw+pragmas,raw+bookkeeping,grdb-conn,grdb-record,grdb-codable,lean,datamonk}
BENCH=$PWD/.build/release/databench
WORK=$PWD/.work
mkdir -p results .work
swift build -c release

swift_table() {
  "$BENCH" --n "$N" --rounds "$ROUNDS" --dir "$WORK" --json results/swift.json --peers "$PEERS" \
    --baseline raw,raw+bookkeeping | tee results/swift.md
}
python_table() {
  [ -x .venv/bin/python ] || { python3 -m venv .venv && .venv/bin/pip install -q sqlalchemy; }
  rm -f results/python-*.json
  round=1
  while [ $round -le "$PYTHON_ROUNDS" ]; do # a process of each in turn: the same minute for both
    "$BENCH" --n "$PYTHON_N" --rounds 1 --quiet --dir "$WORK" --peers raw --json "results/python-raw-$round.json" \
      --workloads W1,W5,W6,W9,W2,W2w,W3,W3i,W4,W7,W7w,W7s,W8,W8L,W9F
    sed -i "s/\"round\":1/\"round\":$round/g" "results/python-raw-$round.json"
    .venv/bin/python python/bench.py --n "$PYTHON_N" --rounds 1 --first-round $round --dir "$WORK" \
      --json "results/python-$round.json"
    round=$((round + 1))
  done
  python3 python/merge.py raw results/python-*.json | tee results/python.md
}
callgrind() {
  for workload in W1 W2 W5 W7 W9; do
    scripts/callgrind.sh $workload raw lean grdb-conn grdb-record grdb-codable datamonk
  done | tee results/callgrind.txt
}

case ${1:-all} in
  swift) swift_table ;;
  python) python_table ;;
  callgrind) callgrind ;;
  all) swift_table && python_table && callgrind ;;
  *) sed -n 2,4p "$0" && exit 2 ;;
esac
