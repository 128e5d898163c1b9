import DataMonkCore
import Foundation

extension QueryValues {
    /// Returns the JSON of some facts, with members of any type; text that is not JSON one time in twenty.
    static func randomJSON(using generator: inout SeededGenerator) -> ManagedValue {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<3: return .null
        case 3: return .string(["", "{\"n\":1", "[1,]", "{} x", "nul", "01"].randomElement(using: &generator) ?? "")
        case 4: return .string(element(using: &generator))
        case 5: return .string(list(using: &generator))
        default: break
        }
        var members = [
            "\"n\":\(element(using: &generator))", "\"r\":\(element(using: &generator))",
            "\"t\" : \(element(using: &generator))", "\"b\":\(element(using: &generator))",
            "\"list\":\(list(using: &generator))",
            "\"deep\":{\"n\":\(element(using: &generator)), \"it's\":\(element(using: &generator))}",
            "\"n\":\(element(using: &generator))",
        ].filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
        members.shuffle(using: &generator)
        return .string("{\(members.joined(separator: ", "))}")
    }

    private static func list(using generator: inout SeededGenerator) -> String {
        let elements = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in element(using: &generator) }
        return "[\(elements.joined(separator: ", "))]"
    }

    private static func element(using generator: inout SeededGenerator) -> String {
        let type: AttributeType = [.integer64, .double, .boolean, .date].randomElement(using: &generator) ?? .double
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return "null"
        case 1: return "[1, \"Monk\"]"
        case 2: return "{\"n\": 1}"
        // SQLite ends a text in JSON at NUL.
        case 3..<7:
            let text = texts.filter { !$0.contains("\0") }.randomElement(using: &generator) ?? ""
            // Reason for try?: every text can be encoded.
            return (try? CodableText.encode(text)) ?? "null"
        default:
            switch random(type, using: &generator) {
            case .int(let number): return "\(number)"
            case .double(let number): return "\(number)"
            case .bool(let flag): return "\(flag)"
            case .date(let date): return "\(date.timeIntervalSinceReferenceDate)"
            default: return "9223372036854775808"
            }
        }
    }
}
