#!/usr/bin/env bash
# The suites of SQLAlchemy's examples/performance, theirs and ours in turns: leaves results/suites.md. All of them, with their
# own numbers of rows, go into FIGURES.md too. Builds first, unless BUILT is set.
#   scripts/suites.sh [SUITE…]     ROUNDS=3 unless set; N: a number of rows in place of each suite's own, a multiple of 10,000
#   SOURCES=FOLDER                 a checkout of SQLAlchemy; unless set, pip gets the source distribution
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rounds=${ROUNDS:-3}
work=$PWD/.work
results=results/suites
suites=("$@") figures=()
if ((!${#suites[@]})); then
    suites=(bulk_inserts bulk_updates large_resultsets short_selects single_inserts single_inserts_normal)
    if [[ -z ${N:-} ]]; then figures=(--figures FIGURES.md); fi
fi

# The folder of their sources, of the version that is installed: the wheel has no examples.
sources() {
    if [[ -n ${SOURCES:-} ]]; then
        echo "$SOURCES"
        return
    fi
    local version sources
    version=$(.venv/bin/python -c 'import sqlalchemy; print(sqlalchemy.__version__)')
    sources=$work/sqlalchemy-$version
    if [[ ! -d $sources/examples ]]; then
        mkdir -p "$sources"
        .venv/bin/pip download --quiet --no-deps --no-binary sqlalchemy --dest "$sources" "sqlalchemy==$version"
        tar -xzf "$sources"/*.tar.gz -C "$sources" --strip-components=1 --wildcards '*/examples/*'
    fi
    echo "$sources"
}

theirs() {
    local suite=$1 options=()
    if [[ $suite == *_normal ]]; then options+=(--wal); fi
    if [[ -n ${N:-} ]]; then options+=(--num "$N"); fi
    .venv/bin/python python/suites.py --sources "$sources" --suite "${suite%_normal}" --round "$2" --dir "$work" \
        --json "$results/$suite-theirs-$2.json" "${options[@]}"
}

ours() {
    local suite=$1 options=()
    if [[ -n ${N:-} ]]; then options+=(--n "$N"); fi
    .build/release/suites "$suite" --round "$2" --dir "$work" --json "$results/$suite-$2.json" "${options[@]}"
}

mkdir -p "$work" "$results"
rm -f "$results"/*.json
[[ -x .venv/bin/python ]] || { python3 -m venv .venv && .venv/bin/pip install -q sqlalchemy; }
[[ -n ${BUILT:-} ]] || swift build -c release -debug-info-format none --product suites
sources=$(sources)
for ((round = 1; round <= rounds; round++)); do
    for suite in "${suites[@]}"; do
        theirs "$suite" "$round"
        ours "$suite" "$round"
    done
    echo "round $round of $rounds done" >&2
done
files=$(printf '%s,' "$results"/*.json)
.build/release/suites --report "${files%,}" "${figures[@]}" | tee results/suites.md
