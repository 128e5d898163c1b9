import DataMonk
import Foundation

/// **Value.** Values that no attribute has yet, within the rules of an attribute.
struct NewValues {
    private var count: Int64 = 0

    /// Returns values of the attribute's Swift type, the best ones first.
    mutating func values<Value: ManagedAttribute>(of type: Value.Type, for attribute: Entity.Attribute) -> [Value] {
        count += 1
        let wrapped = (Value.self as? any Wrapping.Type)?.wrapped ?? Value.self
        if let type = wrapped as? any CaseIterable.Type {
            return Self.cases(of: type).compactMap {
                ($0 as? any ManagedAttribute).flatMap { Value(managedValue: $0.managedValue) }
            }
        }
        // Some attributes may have a single value, or none.
        return (candidates(attribute) + (attribute.isOptional ? [.null] : [])).compactMap { Value(managedValue: $0) }
    }

    private static func cases<Enum: CaseIterable>(of _: Enum.Type) -> [Any] { Enum.allCases.map { $0 as Any } }

    private func candidates(_ attribute: Entity.Attribute) -> [ManagedValue] {
        switch attribute.type {
        case .integer16, .integer32, .integer64: return numbers(attribute).map(ManagedValue.int)
        case .decimal: return numbers(attribute).map { .decimal(Decimal($0)) }
        case .double, .float: return numbers(attribute).map { .double(Double($0)) } + [.double(0.5)]
        case .boolean: return [.bool(true), .bool(false)]
        case .string: return texts(attribute)
        case .date: return moments(attribute).map(ManagedValue.date)
        case .binary: return [.data(Data("Bytes \(count)".utf8))]
        case .uuid: return [.uuid(UUID())]
        case .uri: return URL(string: "https://example.org/\(count)").map { [.url($0)] } ?? []
        case .transformable:
            // The bytes of an archive, whatever transformer the model names.
            let value = try? Transformable(.list([.string("Value"), .int(count)]))
            return value.map { [.data($0.data)] } ?? []
        case .composite:
            let values = attribute.elements.map { element in (element.name, candidates(element).first ?? .null) }
            return [.dictionary(Dictionary(uniqueKeysWithValues: values))]
        case .undefined, .objectID: return []
        }
    }

    private func numbers(_ attribute: Entity.Attribute) -> [Int64] {
        let lowest = Self.number(attribute.description.minimum) ?? 1
        let highest = Self.number(attribute.description.maximum) ?? lowest + 20_000
        return (0..<3).map { lowest + (count + $0) % (highest - lowest + 1) }
    }

    private static func number(_ value: ManagedValue) -> Int64? {
        switch value {
        case .int(let number): number
        case .double(let number): Int64(number)
        case .decimal(let number): Int64("\(number)")
        default: nil
        }
    }

    private func moments(_ attribute: Entity.Attribute) -> [Date] {
        var moment = Date(timeIntervalSinceReferenceDate: 600_000_000)
        if case .date(let earliest) = attribute.description.minimum { moment = earliest }
        moment += Double(count)
        guard case .date(let latest) = attribute.description.maximum else { return [moment] }
        return [min(moment, latest)]
    }

    private func texts(_ attribute: Entity.Attribute) -> [ManagedValue] {
        let shortest = Int(Self.number(attribute.description.minimum) ?? 0)
        // A model of the fixtures wants titles to contain their name.
        let text = "\(count) ä title" + String(repeating: "x", count: shortest)
        let longest = Self.number(attribute.description.maximum).map { Int($0) } ?? text.count
        // A pattern without special characters matches itself.
        let pattern = attribute.description.regularExpression.map { [ManagedValue.string($0)] } ?? []
        return pattern + [.string(String(text.prefix(longest)))]
    }
}

/// An optional type.
private protocol Wrapping {
    static var wrapped: any Any.Type { get }
}

extension Optional: Wrapping {
    fileprivate static var wrapped: any Any.Type { Wrapped.self }
}
