public import DataMonkCore

/// **Value.** An attribute with the option `.codable`, in a condition written with key paths.
///
/// ```swift
/// try World.fetchAll(Article.self) {
///     $0.enclosure.value(at: "length", as: Int.self) > 1_000_000 && $0.keywords.contains("swift")
/// }
/// // … WHERE CASE WHEN json_valid(t0.ZENCLOSURE) THEN … json_extract(t0.ZENCLOSURE, '$."length"') … END > ?1
/// //     AND EXISTS (SELECT 1 FROM json_each(…) t1 WHERE … t1.value … = ?2)
/// ```
/// Names are those in the JSON: a type's coding keys. The compiler cannot check them; a name that the JSON does not have
/// leads to `nil`.
public struct TypedCodable<Value: Codable & Sendable>: Sendable {
    private let expression: ConditionExpression

    init(_ expression: ConditionExpression) { self.expression = expression }

    /// A value in the JSON, which is `nil` where there is none or where it is of another type.
    ///
    /// - Parameters:
    ///   - path: The names that lead to it, separated by dots: `"size.width"`.
    ///   - type: Its type. Dates are in the JSON as seconds since 2001, UUIDs, URLs and data as texts.
    public func value<Member: ManagedAttribute>(
        at path: String, as type: Member.Type
    ) -> TypedKey<Member, Member?> {
        TypedKey(expression.step(path))
    }

    /// Unavailable: JSON has the digits of a `Float` and not its number, so nothing would equal it.
    @available(*, unavailable, message: "Numbers in JSON are compared as Doubles. Use Double.self.")
    public func value(at path: String, as type: Float.Type) -> TypedKey<Float, Float?> {
        TypedKey(expression.step(path))
    }

    /// Matches values that are encoded as the given value is. `ZCOLOR = ?`
    ///
    /// - Throws: The error of the value's `encode(to:)`.
    public func equals(_ value: Value) throws -> Query {
        let text = try CodableText.encode(value)
        return Query(.comparison(.init(expression.step("@json"), .equal, .value(.string(text)))))
    }

    /// Matches an array with an element, a dictionary with a value, equal to the given one.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - path: The names that lead to the array, separated by dots; none for the attribute itself.
    public func contains(_ element: some ManagedAttribute, at path: String? = nil) -> Query {
        let place = path.map { expression.step($0) } ?? expression
        return Query(.comparison(.init(place, .equal, .value(element.managedValue), modifier: .any)))
    }

    /// Unavailable: JSON has the digits of a `Float` and not its number, so nothing would equal it.
    @available(*, unavailable, message: "Numbers in JSON are compared as Doubles. Convert the text of the Float.")
    public func contains(_ element: Float, at path: String? = nil) -> Query {
        contains(Double(element), at: path)
    }

    /// The number of elements of an array; 0 for any other value.
    public var count: TypedKey<Int, Int?> { TypedKey(expression.step("@count")) }

    /// Matches `nil`. `ZCOLOR IS NULL`
    public static func == (key: Self, _: _OptionalNilComparisonType) -> Query {
        Query(.comparison(.init(key.expression, .equal, .value(.null))))
    }

    /// Matches every value but `nil`. `ZCOLOR IS NOT NULL`
    public static func != (key: Self, _: _OptionalNilComparisonType) -> Query {
        Query(.comparison(.init(key.expression, .notEqual, .value(.null))))
    }
}

extension TypedObject {
    /// An attribute with the option `.codable`.
    @_disfavoredOverload
    public subscript<Value: Codable & Sendable>(dynamicMember key: KeyPath<Object, Value>) -> TypedCodable<Value> {
        TypedCodable(place.value(at: key, of: Object.self))
    }

    /// An optional attribute with the option `.codable`.
    @_disfavoredOverload
    public subscript<Value: Codable & Sendable>(dynamicMember key: KeyPath<Object, Value?>) -> TypedCodable<Value> {
        TypedCodable(place.value(at: key, of: Object.self))
    }
}
