/// **Value.** Finds the name that was probably meant.
enum NearestName {
    /// Returns the name with the fewest letters to change, insert or remove, or `nil` if every name is too different.
    static func find(_ wrong: String, among names: some Sequence<String>) -> String? {
        guard wrong.utf8.count <= 64 else { return nil }
        let folded = Array(wrong.lowercased().unicodeScalars)
        let limit = max(2, folded.count / 3)
        var best: (distance: Int, name: String)?
        // Sorted, so that the result does not depend on the order of a hash table.
        for name in names.sorted() where abs(name.utf8.count - wrong.utf8.count) <= limit * 4 {
            let distance = distance(from: folded, to: Array(name.lowercased().unicodeScalars))
            if distance <= limit, distance < best?.distance ?? .max { best = (distance, name) }
        }
        return best?.name
    }

    private static func distance(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (line, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let changed = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
