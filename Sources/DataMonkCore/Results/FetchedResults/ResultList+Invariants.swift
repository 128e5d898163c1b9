extension ResultList {
    /// Checks the numbered invariants, for tests.
    func checkInvariants() throws(InvariantViolation) {
        let name = "ResultList"
        let all = sections.flatMap(\.entries)
        for (left, right) in zip(all, all.dropFirst()) {
            try require(comesBefore(left, right), name, 1, "\(right.object.key) comes after \(left.object.key)")
        }
        try require(all.count == entries.count, name, 2, "\(all.count) entries, \(entries.count) objects")
        for entry in all {
            let known = entries[ObjectIdentifier(entry.object)]
            try require(known === entry, name, 2, "\(entry.object.key) is not found")
        }
        if isSectioned {
            try require(!sections.contains(where: \.entries.isEmpty), name, 3, "an empty section")
            let names = Set(sections.map { SectionKey($0.name) })
            try require(names.count == sections.count, name, 3, "two sections of one name")
        } else {
            try require(sections.count == 1, name, 3, "\(sections.count) sections")
        }
        let serials = Set(sections.map(\.serial))
        let areKnown = serials.allSatisfy { $0 < nextSerial }
        try require(serials.count == sections.count && areKnown, name, 4, "serials \(serials.sorted())")
    }
}
