import DataMonkCore
import Foundation

/// **Value.** The condition of a partial index or of a trigger in SQL.
///
/// Supports comparisons of a stored attribute with a constant, joined by AND and OR, which any program with SQLite can
/// evaluate: if an index needed a function of ours, Core Data could not write to the store. Anything else yields `nil`; the
/// index then covers all rows and serves the same queries.
struct SchemaCondition {
    let entity: Entity
    /// The SQL of the column of an attribute, by its name.
    let column: (String) -> String?

    /// Returns the condition, or `nil` if it has no plain form.
    func sql(_ format: String) -> String? {
        // Reason for try?: a condition that cannot be parsed has no plain form either; fetches report it to its author.
        (try? Condition(format: format, arguments: [])).flatMap(sql)
    }

    /// Returns the condition, or `nil` if it has no plain form.
    func sql(_ condition: Condition) -> String? {
        switch condition {
        case .comparison(let comparison): return sql(comparison)
        case .and(let parts): return join(parts, separator: " AND ")
        case .or(let parts): return join(parts, separator: " OR ")
        default: return nil
        }
    }

    private func join(_ parts: Condition.Parts, separator: String) -> String? {
        let compiled = parts.compactMap(sql)
        guard !compiled.isEmpty, compiled.count == parts.count else { return nil }
        return compiled.count == 1 ? compiled[0] : "(\(compiled.joined(separator: separator)))"
    }

    private func sql(_ comparison: Condition.Comparison) -> String? {
        guard comparison.modifier == .direct, comparison.options.isEmpty,
            case .keyPath(let name) = comparison.left, case .value(let value) = comparison.right,
            let attribute = entity.attribute(named: name), let column = column(name)
        else { return nil }
        if value.isNull {
            switch comparison.operation {
            case .equal: return "\(column) IS NULL"
            case .notEqual: return "\(column) IS NOT NULL"
            default: return nil
            }
        }
        guard let literal = literal(value, as: attribute.type) else { return nil }
        switch comparison.operation {
        case .equal: return "\(column) = \(literal)"
        case .notEqual: return "\(column) IS NOT \(literal)"
        case .lessThan where attribute.type != .string: return "\(column) < \(literal)"
        case .lessThanOrEqual where attribute.type != .string: return "\(column) <= \(literal)"
        case .greaterThan where attribute.type != .string: return "\(column) > \(literal)"
        case .greaterThanOrEqual where attribute.type != .string: return "\(column) >= \(literal)"
        default: return nil
        }
    }

    private func literal(_ value: ManagedValue, as type: AttributeType) -> String? {
        switch (value, type) {
        case (.bool(let flag), .boolean): flag ? "1" : "0"
        case (.int(let number), .boolean) where number == 0 || number == 1: "\(number)"
        case (.int(let number), _) where type.isInteger || type == .double: "\(number)"
        case (.double(let number), .double) where number.isFinite: "\(number)"
        case (.date(let date), .date) where date.timeIntervalSinceReferenceDate.isFinite:
            "\(date.timeIntervalSinceReferenceDate)"
        case (.string(let text), .string) where !text.contains("\0"): "'\(text.replacing("'", with: "''"))'"
        default: nil
        }
    }
}
