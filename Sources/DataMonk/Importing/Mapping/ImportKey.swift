import DataMonkCore

/// **Value.** The value that tells which object a row is about, as stores compare it.
enum ImportKey: Hashable, Sendable {
    case integer(Int64)
    case text(Text)
    case other(ManagedValue)
    /// The values of several attributes.
    case several([ImportKey])

    /// **Value.** A text that is equal to others with the same bytes: canonically equivalent texts are different keys.
    struct Text: Hashable, Sendable {
        let text: String

        static func == (left: Text, right: Text) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
                hasher.combine(bytes: UnsafeRawBufferPointer($0))
            }
            if isDone == nil { for byte in text.utf8 { hasher.combine(byte) } }
        }
    }

    /// Creates the key of a value as an attribute holds it; `nil` for null.
    init?(_ value: ManagedValue) {
        switch value {
        case .null: return nil
        case .int(let number): self = .integer(number)
        case .string(let text): self = .text(Text(text: text))
        default: self = .other(value)
        }
    }

    /// Creates the key of the attributes at some positions; `nil` if one of them has none.
    init?(ofEach positions: [Int], _ key: (Int) throws -> ImportKey?) rethrows {
        if positions.count == 1 {
            guard let only = try key(positions[0]) else { return nil }
            self = only
            return
        }
        var keys: [ImportKey] = []
        for position in positions {
            guard let part = try key(position) else { return nil }
            keys.append(part)
        }
        self = .several(keys)
    }

    /// The keys, one for each attribute.
    var parts: [ImportKey] {
        if case .several(let keys) = self { return keys }
        return [self]
    }

    /// The value of the attribute, of several that of the first.
    var firstValue: ManagedValue {
        switch self {
        case .integer(let number): .int(number)
        case .text(let text): .string(text.text)
        case .other(let value): value
        case .several(let keys): keys[0].firstValue
        }
    }
}
