import DataMonkCore

// The stored form of an operand does not tell its kind, so SQL passes the kind on as a letter.

extension ValueKind {
    /// The kind as a letter.
    var letter: Character {
        switch self {
        case .boolean, .integer: "i"
        case .floating: "f"
        case .decimal: "d"
        case .date: "e"
        case .string: "t"
        case .data, .uuid, .url, .object, .dynamic, .opaque, .json: "o"
        }
    }

    /// Creates a kind whose operands have the same stored forms.
    init?(letter: Character) {
        switch letter {
        case "i": self = .integer
        case "f": self = .floating(isSingle: false)
        case "d": self = .decimal
        case "e": self = .date
        case "t": self = .string
        case "o": self = .opaque
        default: return nil
        }
    }
}
