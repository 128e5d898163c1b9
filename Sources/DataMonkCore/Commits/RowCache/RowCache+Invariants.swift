import DequeModule

extension RowCache {
    /// Checks the numbered invariants of the design note. Examines everything; for tests.
    package func checkInvariants() throws(InvariantViolation) {
        let name = "RowCache"
        try require(newest <= incoming, in: name, invariant: 1, otherwise: "\(newest) is newer than \(incoming)")
        try require(floor <= incoming, in: name, invariant: 1, otherwise: "floor \(floor) above \(incoming)")
        try checkTable(name)
        try checkOlderVersions(name)
        try checkMarks(name)
        try require(
            keptBytes >= 0 && keptBytes <= byteLimit, in: name, invariant: 7,
            otherwise: "\(keptBytes) bytes of \(byteLimit)")
        let isEmpty = table.count == 0 && older.isEmpty
        try require(
            !isEmpty || keptBytes == 0, in: name, invariant: 7,
            otherwise: "\(keptBytes) bytes although there are no rows")
    }

    private func checkTable(_ name: String) throws(InvariantViolation) {
        for position in table.entries.indices {
            let entry = table.entries[position]
            try require(
                entry.since <= incoming, in: name, invariant: 1,
                otherwise: "\(entry.key) is newer than the newest generation")
            let found = table.find(entry.key)
            try require(
                found == position, in: name, invariant: 2,
                otherwise: "\(entry.key) is at \(position), found at \(found as Int?)")
        }
        try require(
            table.count <= capacity, in: name, invariant: 2, otherwise: "\(table.count) keys in a cache for \(capacity)"
        )
    }

    private func checkOlderVersions(_ name: String) throws(InvariantViolation) {
        var ends: [ObjectKey: Generation] = [:]
        var numbers: [ObjectKey: Int] = [:]
        for offset in older.queue.indices {
            let version = older.queue[offset]
            try require(
                version.until <= incoming, in: name, invariant: 1,
                otherwise: "an older version ends after the newest generation")
            let key = version.key
            try require(version.since < version.until, in: name, invariant: 3, otherwise: "an empty version of \(key)")
            try require(
                ends[key] ?? .opened <= version.since, in: name, invariant: 3, otherwise: "versions of \(key) overlap")
            let ascends = offset == 0 || older.queue[offset - 1].until <= version.until
            try require(ascends, in: name, invariant: 6, otherwise: "older versions are out of order at \(offset)")
            let linked = version.previous.flatMap { $0 >= older.firstNumber ? $0 : nil }
            try require(linked == numbers[key], in: name, invariant: 6, otherwise: "the chain of \(key) is broken")
            ends[key] = version.until
            numbers[key] = older.firstNumber + offset
        }
        try require(
            numbers == older.latest, in: name, invariant: 6, otherwise: "the chains do not start where they should")
        for (key, end) in ends {
            if let place = table.find(key) {
                try require(
                    end <= table.entries[place].since, in: name, invariant: 3,
                    otherwise: "versions of \(key) overlap its entry")
            } else {
                try require(
                    end <= floor, in: name, invariant: 4,
                    otherwise: "\(key) changed at \(end), above the floor \(floor)")
            }
        }
    }

    private func checkMarks(_ name: String) throws(InvariantViolation) {
        for offset in marks.indices where offset > 0 {
            try require(
                marks[offset - 1].since <= marks[offset].since, in: name, invariant: 5,
                otherwise: "marks are out of order at \(offset)")
        }
        for position in table.entries.indices where table.entries[position].row == nil {
            let entry = table.entries[position]
            let isNoted = marks.contains { $0.key == entry.key && $0.since == entry.since }
            try require(isNoted, in: name, invariant: 5, otherwise: "the mark of \(entry.key) is never removed")
        }
    }
}
