/// **Value.** Suggests the name that a misspelt name probably means.
struct NameSuggestions {
    // A model with thousands of unknown names is not misspelt, and comparing all with all would take minutes.
    private var left = 200

    /// Returns ` Did you mean "friends"?`, or an empty string if no name is similar.
    mutating func text(for name: String, among names: some Sequence<String>) -> String {
        guard left > 0, name.utf8.count <= 64 else { return "" }
        left -= 1
        let allowed = max(1, name.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in names where abs(candidate.utf8.count - name.utf8.count) <= allowed * 4 {
            let distance = Self.distance(from: name.lowercased(), to: candidate.lowercased())
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best.map { " Did you mean \"\($0.name)\"?" } ?? ""
    }

    /// Returns the number of characters to insert, remove or replace (Levenshtein distance).
    private static func distance(from first: String, to second: String) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (line, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in second.indices {
                let replaced = diagonal + (second[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
