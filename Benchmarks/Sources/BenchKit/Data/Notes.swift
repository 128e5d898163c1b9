/// Texts of 200 characters, the same on every machine. In every other one are words with é and ü; the others are ASCII.
package enum Notes {
    private static let length = 200

    package static func text(id: Int64) -> String {
        var random = SplitMix64(seed: UInt64(id))
        var text = ""
        while text.utf8.count < 2 * length {
            let draw = Int(random.next() % 256)
            let words = id % 2 == 0 && draw < 32 ? accentedWords : words
            text += (text.isEmpty ? "" : " ") + words[draw % words.count]
        }
        return String(text.prefix(length))
    }

    private static let words = [
        "Cafe", "harbor", "Lantern", "river", "and", "the", "of", "Walking", "a", "stone", "Bridge", "under", "quiet",
        "morning", "Light", "over", "Garden", "with", "seven", "Boats", "in", "Winter", "to", "market", "Street", "by",
        "old", "Tower", "from", "green", "Hill", "at",
    ]
    private static let accentedWords = ["Café", "Zürich", "résumé", "über", "Tübingen", "Présent", "Grüße", "été"]
}
