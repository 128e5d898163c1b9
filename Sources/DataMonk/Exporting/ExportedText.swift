import DataMonkCore
import Foundation

/// **Value.** The text of an attribute's value, and its kind in JSON.
enum ExportedText {
    /// A number, or `true` or `false`.
    case plain(String)
    case quoted(String)

    /// Creates the text of a value; `nil` for null. A composite value has none.
    init?(_ value: ManagedValue, of attribute: Entity.Attribute, _ format: ImportedDateFormat) {
        switch value {
        case .null, .list, .dictionary, .object: return nil
        case .bool(let flag): self = .plain(flag ? "true" : "false")
        case .int(let number):
            self = .plain(attribute.type == .boolean ? (number == 0 ? "false" : "true") : String(number))
        // A float has fewer digits than the double it is handed over as.
        case .double(let number) where attribute.type == .float:
            self = Self.number(Float(number).description, of: number)
        case .double(let number): self = Self.number(number.description, of: number)
        case .decimal(let number): self = number.isNaN ? .quoted("NaN") : .plain(number.description)
        case .string(let text): self = .quoted(text)
        case .date(let date): self = Self.date(date, in: format)
        case .data(let data): self = .quoted(data.base64EncodedString())
        case .uuid(let uuid): self = .quoted(uuid.uuidString)
        case .url(let url): self = .quoted(url.absoluteString)
        }
    }

    /// JSON has no number that is not finite.
    private static func number(_ digits: String, of number: Double) -> ExportedText {
        number.isFinite ? .plain(digits) : .quoted(digits)
    }

    private static func date(_ date: Date, in format: ImportedDateFormat) -> ExportedText {
        switch format {
        // What a pattern would lose is written in full, which the import reads as well.
        case .pattern(let pattern): pattern.text(date).map { .quoted($0) } ?? self.date(date, in: .standard)
        case .standard:
            ExportedDate.text(date).map { .quoted($0) }
                ?? number("\(date.timeIntervalSince1970)", of: date.timeIntervalSince1970)
        case .milliseconds:
            // Dates count from 2001, so that they have more digits than this number.
            ImportedDateFormat.millisecondsKeep(date)
                ? number("\(ImportedDateFormat.milliseconds(of: date))", of: date.timeIntervalSince1970)
                : self.date(date, in: .standard)
        }
    }

    /// The text alone.
    var text: String {
        switch self {
        case .plain(let text), .quoted(let text): text
        }
    }
}
