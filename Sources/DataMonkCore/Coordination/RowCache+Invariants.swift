import DequeModule

extension RowCache {
    /// Checks the numbered invariants of the design note. Looks at everything: for tests.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "RowCache"
        try require(floor <= newest, name, 1, "floor \(floor) above \(newest)")
        try checkTable(name)
        try checkOlderVersions(name)
        try checkMarks(name)
    }

    private func checkTable(_ name: String) throws(InvariantViolation) {
        var found = 0
        for place in table.keys.indices where table.keys[place] != 0 {
            let raw = table.keys[place]
            found += 1
            try require(table.entries[place].since <= newest, name, 1, "an entry from the future at \(place)")
            let reached = table.find(ObjectKey(rawValue: raw))
            try require(reached == place, name, 2, "key \(raw) is at \(place), its search ends at \(reached as Int?)")
        }
        try require(found == table.count, name, 2, "\(found) keys, counted \(table.count)")
        try require(found <= capacity, name, 2, "\(found) keys in a cache for \(capacity)")
    }

    private func checkOlderVersions(_ name: String) throws(InvariantViolation) {
        var ends: [ObjectKey: Generation] = [:]
        var numbers: [ObjectKey: Int] = [:]
        for offset in older.queue.indices {
            let version = older.queue[offset]
            try require(version.until <= newest, name, 1, "an older version ends in the future")
            let key = version.key
            try require(version.since < version.until, name, 3, "an empty version of \(key)")
            try require(ends[key] ?? .opened <= version.since, name, 3, "versions of \(key) overlap")
            let ascends = offset == 0 || older.queue[offset - 1].until <= version.until
            try require(ascends, name, 6, "older versions are out of order at \(offset)")
            let linked = version.previous.flatMap { $0 >= older.firstNumber ? $0 : nil }
            try require(linked == numbers[key], name, 6, "the chain of \(key) is broken")
            ends[key] = version.until
            numbers[key] = older.firstNumber + offset
        }
        try require(numbers == older.latest, name, 6, "the chains begin elsewhere")
        for (key, end) in ends {
            if let place = table.find(key) {
                try require(end <= table.entries[place].since, name, 3, "versions of \(key) overlap its entry")
            } else {
                try require(end <= floor, name, 4, "\(key) changed at \(end), above the floor \(floor)")
            }
        }
    }

    private func checkMarks(_ name: String) throws(InvariantViolation) {
        for offset in marks.indices where offset > 0 {
            try require(marks[offset - 1].since <= marks[offset].since, name, 5, "marks are out of order at \(offset)")
        }
        for place in table.keys.indices where table.keys[place] != 0 && table.entries[place].row == nil {
            let raw = table.keys[place]
            let since = table.entries[place].since
            let isNoted = marks.contains { $0.key.rawValue == raw && $0.since == since }
            try require(isNoted, name, 5, "the mark of \(raw) is never pruned")
        }
    }
}
