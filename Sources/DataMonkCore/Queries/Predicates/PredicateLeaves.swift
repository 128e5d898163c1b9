import Foundation

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        guard let part = translator.variables[key] else {
            throw .untranslatable(self, remedy: "Use only the parameters of the enclosing closures.")
        }
        return part
    }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        .value(.value(.null))
    }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(by translator: PredicateTranslator) throws(FetchError) -> TranslatedPart {
        switch try translator.part(root) {
        case .object(let object): return try property(of: object)
        case .collection(let path, let variable, let condition):
            return try property(ofCount: .counting(path, variable: variable, satisfying: condition))
        case .value(let text) where Root.Output.self == String.self: return try property(ofText: text)
        case .constant(let value):
            guard let value = value as? Root.Output else { break }
            return .constant(value[keyPath: keyPath])
        default: break
        }
        throw .untranslatable(self, remedy: "Only properties of objects, `count` and `isEmpty` are supported.")
    }

    private func property(of object: ConditionExpression) throws(FetchError) -> TranslatedPart {
        guard let managedObjectClass = Root.Output.self as? ManagedObject.Type,
            let name = KeyNames.name(of: keyPath, in: managedObjectClass)
        else {
            throw FetchError(
                .unknownKey,
                "\(Root.Output.self) has no property for a \(KeyNames.unnamed(keyPath)). \(KeyNames.remedy)",
                keyPath: KeyNames.unnamed(keyPath))
        }
        let path = object.step(name)
        if Output.self is ManagedObject.Type || Output.self is any OptionalLink.Type { return .object(path) }
        if Output.self is any ObjectCollection.Type { return .collection(path, variable: "", nil) }
        return .value(path)
    }

    /// Returns the part for a property of a collection.
    private func property(ofCount count: ConditionExpression) throws(FetchError) -> TranslatedPart {
        if Output.self == Int.self { return .value(count) }
        if Output.self == Bool.self { return .condition(.comparison(.init(count, .equal, .value(0)))) }
        throw .untranslatable(
            self, remedy: "A to-many relationship only supports `count`, `isEmpty` and `contains { … }`.")
    }

    /// Returns the part for a property of a text. `count` and `isEmpty` are the only ones that the macro accepts.
    private func property(ofText text: ConditionExpression) throws(FetchError) -> TranslatedPart {
        switch keyPath as AnyKeyPath {
        case \String.count: return .value(.function(.length, [text]))
        case \String.isEmpty: return .condition(.comparison(.init(text, .equal, .value(""))))
        default: throw .untranslatable(self, remedy: "A string only supports `count` and `isEmpty`.")
        }
    }
}

extension ConditionExpression {
    /// Returns the number of objects of a collection that satisfy a condition.
    static func counting(_ path: ConditionExpression, variable: String, satisfying condition: Condition?)
        -> ConditionExpression
    {
        guard let condition else { return path.step("@count") }
        return .path(.subquery(path, variable: variable, condition), "@count")
    }
}

/// An optional object: the type of a to-one.
private protocol OptionalLink {}
extension Optional: OptionalLink where Wrapped: ManagedObject {}

/// A collection of objects: the type of a to-many.
private protocol ObjectCollection {}
extension Set: ObjectCollection where Element: ManagedObject {}
extension Array: ObjectCollection where Element: ManagedObject {}
