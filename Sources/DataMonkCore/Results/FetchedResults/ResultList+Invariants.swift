extension ResultList {
    /// Checks the numbered invariants, for tests.
    func checkInvariants() throws(InvariantViolation) {
        let name = "ResultList"
        let all = sections.flatMap(\.entries)
        for (left, right) in zip(all, all.dropFirst()) {
            try require(
                comesBefore(left, right), in: name, invariant: 1,
                otherwise: "\(right.object.key) comes after \(left.object.key)")
        }
        try require(
            all.count == entries.count, in: name, invariant: 2,
            otherwise: "\(all.count) entries, \(entries.count) objects")
        for entry in all {
            let known = entries[ObjectIdentifier(entry.object)]
            try require(known === entry, in: name, invariant: 2, otherwise: "\(entry.object.key) is not found")
        }
        if isSectioned {
            try require(
                !sections.contains(where: \.entries.isEmpty), in: name, invariant: 3, otherwise: "an empty section")
            let names = Set(sections.map { SectionKey($0.name) })
            try require(names.count == sections.count, in: name, invariant: 3, otherwise: "two sections of one name")
        } else {
            try require(sections.count == 1, in: name, invariant: 3, otherwise: "\(sections.count) sections")
        }
        let serials = Set(sections.map(\.serial))
        let areKnown = serials.allSatisfy { $0 < nextSerial }
        try require(
            serials.count == sections.count && areKnown, in: name, invariant: 4,
            otherwise: "serials \(serials.sorted())")
    }
}
