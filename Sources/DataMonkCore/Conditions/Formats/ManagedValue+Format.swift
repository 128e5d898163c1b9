import Foundation

extension ManagedValue {
    /// The constant as it is written in a format string.
    var format: String {
        switch self {
        case .null: "NIL"
        case .bool(let flag): flag ? "TRUE" : "FALSE"
        case .int(let number): String(number)
        case .double(let number): Self.format(number)
        case .decimal(let number): Self.cast("\(number)", to: .decimal)
        case .string(let text): FormatName.quoted(text)
        case .date(let date):
            "CAST(\(Self.format(date.timeIntervalSinceReferenceDate)), \"\(FormatCast.date.rawValue)\")"
        case .data(let data): Self.cast(data.map { byte in Self.hexadecimal(byte) }.joined(), to: .data)
        case .uuid(let uuid): Self.cast(uuid.uuidString, to: .uuid)
        case .url(let url): Self.cast(url.absoluteString, to: .url)
        case .object(let id): "CAST(\(FormatName.quoted(id.uri.absoluteString)), \"NSManagedObjectID\")"
        case .list(let values): "{\(values.map(\.format).joined(separator: ", "))}"
        // Conditions on objects never contain a dictionary, and it cannot be written as text.
        case .dictionary: "NIL"
        }
    }

    /// Writes a number without digits as a CAST.
    private static func format(_ number: Double) -> String {
        number.isFinite ? "\(number)" : cast("\(number)", to: .double)
    }

    private static func cast(_ text: String, to type: FormatCast) -> String {
        "CAST(\(FormatName.quoted(text)), \"\(type.rawValue)\")"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
