#!/usr/bin/env bash
# The processor time that the optimized compiler plugin takes to expand `@Entity`, and its instructions where there is valgrind.
#   scripts/expansions.sh [ENTITIES...]     40 and 200 unless told; each has twelve properties of the usual kinds
# The compiler's requests to the plugin are recorded once, and then answered again without the compiler.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
counts=("$@")
((${#counts[@]})) || counts=(40 200)
build=.build/expansions
work="$(pwd)/Benchmarks/.work/expansions"
mkdir -p "$work"

swift build -c release -debug-info-format none --scratch-path "$build" --product DataMonkMacros
plugin="$(swift build -c release --scratch-path "$build" --show-bin-path)/DataMonkMacros-tool"
# The classes are only checked against the library, so the usual build of it will do.
[[ -e .build/debug/Modules/DataMonk.swiftmodule ]] || swift build --target DataMonk
products="$(pwd)/.build/debug"

classes() {
    local number
    printf 'import DataMonk\nimport Foundation\n'
    for ((number = 0; number < $1; number++)); do
        cat << CLASS

@Entity final class Entity$number: ManagedObject {
    #Index<Entity$number>([\\.name, \\.age])
    @Attribute(.unique) var email: String = ""
    var name: String = ""
    var age: Int16 = 0
    var born: Date?
    var height: Double = 0
    @Attribute(.externalStorage) var photo: Data?
    @Attribute(.minimum(0), .maximum(100)) var score: Int = 0
    @Transient var isSelected: Bool = false
    @Attribute(.codable) var words: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \\Entity$number.parent) var children: Set<Entity$number>
    var parent: Entity$number?
    var friends: [Entity$number]
}
CLASS
    done
}

# Leaves the requests for a number of entities in requests.NUMBER.
record() {
    classes "$1" > "$work/classes.swift"
    printf '#!/usr/bin/env bash\nexec tee "%s" | "%s"\n' "$work/requests.$1" "$plugin" > "$work/plugin"
    chmod +x "$work/plugin"
    swiftc -typecheck "$work/classes.swift" -parse-as-library -swift-version 6 -I "$products/Modules" \
        -Xcc -fmodule-map-file="$(pwd)/Sources/CSQLite/module.modulemap" \
        -Xcc -fmodule-map-file="$(pwd)/Sources/CZlib/module.modulemap" \
        -load-plugin-executable "$work/plugin#DataMonkMacros"
}

instructions() {
    command -v valgrind > /dev/null || return 0
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.$1" "$plugin" \
        < "$work/requests.$1" 2>&1 > /dev/null | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

for count in "${counts[@]}"; do
    record "$count"
    TIMEFORMAT='%U'
    seconds="$({ time "$plugin" < "$work/requests.$count" > /dev/null; } 2>&1)"
    awk -v count="$count" -v seconds="$seconds" -v instructions="$(instructions "$count")" 'BEGIN {
        printf "%d entities: %.1f ms of processor time, %.1f million instructions each\n",
            count, seconds * 1000 / count, instructions / count / 1e6
    }'
done
