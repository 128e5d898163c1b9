/// **Value.** JSON whose objects keep their order and whose numbers keep every digit.
package indirect enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number, as its digits.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: JSONValue
    }

    package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }

    package static func integer(_ number: some BinaryInteger) -> JSONValue { .number("\(number)") }

    /// Creates a number with the fewest digits that represent it exactly. JSON has no infinities; they become strings.
    package static func real(_ number: Double) -> JSONValue {
        number.isFinite ? .number("\(number)") : .string("\(number)")
    }

    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    package static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// The JSON text, indented by two spaces for each level.
    package var text: String {
        var text = ""
        write(to: &text, indentation: "")
        return text
    }

    private func write(to text: inout String, indentation: String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements):
            Self.write(elements, between: "[", and: "]", to: &text, indentation: indentation) { element, text, inner in
                element.write(to: &text, indentation: inner)
            }
        case .object(let members):
            Self.write(members, between: "{", and: "}", to: &text, indentation: indentation) { member, text, inner in
                Self.write(member.key, to: &text)
                text += ": "
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between start: String, and end: String, to text: inout String, indentation: String,
        write: (Element, inout String, String) -> Void
    ) {
        text += start
        let inner = indentation + "  "
        for (place, element) in elements.enumerated() {
            text += place == 0 ? "\n" : ",\n"
            text += inner
            write(element, &text, inner)
        }
        text += elements.isEmpty ? end : "\n\(indentation)\(end)"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
