/// **Value.** One paragraph of a ``ControlFile``: where its fields lie. Only the fields that are asked for become strings.
public struct Paragraph: Sendable {
    /// **Value.** The offsets of a field's name and of its value, continuation lines included.
    struct Field: Sendable {
        let name: Range<Int>
        var value: Range<Int>
    }

    /// The file's bytes, shared by its paragraphs.
    let bytes: [UInt8]
    /// Where the paragraph begins in the file.
    let offset: Int
    let fields: [Field]

    /// The value of a field, line breaks included; upper and lower case of the name are the same. Of two fields with
    /// one name the first counts.
    public subscript(name: String) -> String? {
        value(of: name).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// The first line of a field's value.
    public func firstLine(of name: String) -> String? {
        value(of: name).map { value in
            let line = bytes[value].prefix { $0 != .newline && $0 != .carriageReturn }
            return String(decoding: line, as: UTF8.self)
        }
    }

    private func value(of name: String) -> Range<Int>? {
        let name = name.utf8
        return fields.first { field in
            field.name.count == name.count && zip(bytes[field.name], name).allSatisfy { $0.lowercased == $1.lowercased }
        }?.value
    }
}
