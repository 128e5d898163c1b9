import DataMonkCore
import Foundation

/// **Value.** Formats values for people to read in a table.
enum ValueText {
    /// Stands for no value. No actual value looks like it.
    static let null = "∅"

    static func text(of value: ManagedValue) -> String {
        switch value {
        case .null: null
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text): visible(text)
        case .date(let date): text(of: date)
        case .data(let data): "\(data.count) bytes"
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): visible(url.absoluteString)
        case .object(let id): "\(id.entityName)/\(id.key.primaryKey)"
        case .list(let values): values.map(text).joined(separator: ", ")
        case .dictionary(let values):
            values.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
        }
    }

    static func text(of cell: RowPage.Cell) -> String {
        switch cell {
        case .value(let value): text(of: value)
        case .object(nil): null
        case .object(let reference?): "\(reference.entityName)/\(reference.primaryKey)"
        case .objects(let references): "\(references.count)"
        case .unreadable(let problem): "unreadable: \(visible(problem))"
        }
    }

    /// Returns ISO 8601 in UTC, with milliseconds if there are any. Dates beyond the calendar are given in seconds.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // The years 1 to 9999.
        guard seconds >= -63_114_076_800, seconds < 252_423_993_600 else { return "\(seconds) s since 2001" }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded(.down))
        return date.formatted(style)
    }

    /// Returns the text with everything escaped that a terminal would interpret rather than show.
    static func visible(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // Control characters, line separators, and marks that change the text direction.
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}",
                "\u{200E}"..."\u{200F}":
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
