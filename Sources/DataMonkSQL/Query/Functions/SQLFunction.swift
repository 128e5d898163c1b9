import DataMonkCore
import Foundation

/// **Value.** The functions that conditions need and SQL lacks. A store registers each of them with its database. They are
/// pure: the same arguments give the same result.
///
/// The last argument contains `Condition.Comparison.Options` as bits. Patterns are already folded, texts are not. Either may
/// be data.
package enum SQLFunction: CaseIterable, Sendable {
    /// `datamonk_contains(text, part, options)`
    case contains
    /// `datamonk_begins_with(text, start, options)`
    case beginsWith
    /// `datamonk_ends_with(text, end, options)`
    case endsWith
    /// `datamonk_like(text, pattern, options)`
    case like
    /// `datamonk_matches(text, expression, options)`: throws if the expression takes too long.
    case matches
    /// `datamonk_contains_words(text, words, options)`: the options have no effect.
    case containsWords
    /// `datamonk_fold(text, options)`: the folded form for substring search.
    case fold
    /// `datamonk_calculate(function, kinds, operand, …)`: `kinds` has one letter for each operand.
    case calculate

    /// The function's name in SQL.
    package var name: String {
        switch self {
        case .contains: "datamonk_contains"
        case .beginsWith: "datamonk_begins_with"
        case .endsWith: "datamonk_ends_with"
        case .like: "datamonk_like"
        case .matches: "datamonk_matches"
        case .containsWords: "datamonk_contains_words"
        case .fold: "datamonk_fold"
        case .calculate: "datamonk_calculate"
        }
    }

    /// The number of arguments; -1 for any.
    package var argumentCount: Int {
        switch self {
        case .fold: 2
        case .calculate: -1
        default: 3
        }
    }

    /// Runs a call. Returns NULL if one of the texts is NULL.
    ///
    /// - Throws: `FetchError` for a regular expression that is invalid or takes too long. The driver makes the statement
    ///   fail with this error.
    package func answer<Call: SQLFunctionCall & ~Copyable>(_ call: borrowing Call) throws {
        if self == .calculate { return calculate(call) }
        let options = Condition.Comparison.Options(
            rawValue: UInt8(truncatingIfNeeded: call.int64(at: argumentCount - 1)))
        switch self {
        case .fold:
            if case .data(let data) = call.managedValue(at: 0) {
                return call.returnValue(TextFolding.fold(data: data, options: options))
            }
            let folded = call.withText(at: 0) { text in text.map { TextFolding.foldForSearch($0, options: options) } }
            if let folded { call.returnValue(folded) } else { call.returnNull() }
        case .matches:
            guard case .string(let text) = call.managedValue(at: 0),
                case .string(let pattern) = call.managedValue(at: 1)
            else {
                return call.returnNull()
            }
            call.returnValue(try RegularExpression.cached(pattern, options: options).matches(text))
        case .containsWords:
            guard case .string(let words) = call.managedValue(at: 1) else { return call.returnNull() }
            let isTrue = call.withText(at: 0) { text in
                text.map { WordQuery.cached(words).matches(WordText($0)) }
            }
            if let isTrue { call.returnValue(isTrue) } else { call.returnNull() }
        case .contains: try answer(call, operation: .contains, options: options)
        case .beginsWith: try answer(call, operation: .beginsWith, options: options)
        case .endsWith: try answer(call, operation: .endsWith, options: options)
        case .like: try answer(call, operation: .like, options: options)
        case .calculate: break
        }
    }

    private func calculate<Call: SQLFunctionCall & ~Copyable>(_ call: borrowing Call) {
        // A view or a trigger in somebody's file may call it with anything.
        guard call.argumentCount >= 2, case .string(let name) = call.managedValue(at: 0),
            case .string(let kinds) = call.managedValue(at: 1), kinds.count == call.argumentCount - 2,
            let function = ConditionExpression.Function(rawValue: name)
        else { return call.returnNull() }
        var operands: [ManagedValue] = []
        for (index, letter) in kinds.enumerated() {
            let stored = call.managedValue(at: index + 2)
            operands.append(ValueKind(letter: letter)?.operand(stored) ?? .null)
        }
        switch SQLBinding(Calculation.value(of: function, operands)) {
        case .integer(let number): call.returnValue(number)
        case .real(let number): call.returnValue(number)
        case .text(let text): call.returnValue(text)
        case .null, .blob: call.returnNull()
        }
    }

    private func answer<Call: SQLFunctionCall & ~Copyable>(
        _ call: borrowing Call, operation: Condition.Comparison.Operator, options: Condition.Comparison.Options
    ) throws {
        let isTrue = try call.withText(at: 0) { text in
            try call.withText(at: 1) { pattern -> Bool? in
                // `nil` is LIKE `nil`.
                guard let text, let pattern else { return operation == .like && text == nil && pattern == nil }
                if options.isEmpty { return try TextComparison.compareFolded(text, by: operation, with: pattern) }
                if call.isData(at: 0) {
                    return try TextFolding.fold(data: Data(text), options: options).withUnsafeBytes {
                        try TextComparison.compareFolded($0, by: operation, with: pattern)
                    }
                }
                var folded = TextFolding.foldForSearch(text, options: options)
                return try folded.withUTF8 {
                    try TextComparison.compareFolded(UnsafeRawBufferPointer($0), by: operation, with: pattern)
                }
            }
        }
        if let isTrue { call.returnValue(isTrue) } else { call.returnNull() }
    }
}
