public import DataMonkCore

/// **Value.** The destinations of a to-many relationship, in a condition written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self) { $0.friends.any { $0.age > 40 } && $0.friends.count < 10 }
/// // … WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZFRIEND = t0.Z_PK AND t1.ZAGE > ?1) > 0 AND …
/// ```
/// Inside the closure, `$0` is one of the destinations. Objects of enclosing closures keep their names: `{ person in
/// person.friends.any { $0.age > person.age } }`.
public struct TypedCollection<Element: ManagedObject>: Sendable {
    private let place: TypedPlace
    /// The condition on the place's member that the objects satisfy; `nil` for all destinations.
    private let condition: Condition?

    init(_ place: TypedPlace) { self.init(place, where: nil) }

    private init(_ place: TypedPlace, where condition: Condition?) {
        self.place = place
        self.condition = condition
    }

    /// Returns the objects that also satisfy a condition: `$0.friends.filter { $0.age > 40 }.count > 2`.
    public func filter(_ isIncluded: (TypedObject<Element>) throws -> Query) rethrows -> TypedCollection {
        let further = try isIncluded(TypedObject(place.member)).condition
        return TypedCollection(place, where: condition?.and(further) ?? further)
    }

    // MARK: Conditions

    /// Matches if at least one of the objects satisfies the condition; false if there are none.
    public func any(_ condition: (TypedObject<Element>) throws -> Query) rethrows -> Query {
        try filter(condition).count > 0
    }

    /// Matches if all of the objects satisfy the condition; true if there are none.
    public func all(_ condition: (TypedObject<Element>) throws -> Query) rethrows -> Query {
        try filter { !(try condition($0)) }.count == 0
    }

    /// Matches if none of the objects satisfies the condition; true if there are none.
    public func none(_ condition: (TypedObject<Element>) throws -> Query) rethrows -> Query {
        try filter(condition).count == 0
    }

    /// Matches a collection that contains the object.
    public func contains(_ object: Element) -> Query { contains(object.formatArgument) }

    /// Matches a collection that contains the object with the id.
    public func contains(_ id: ObjectID<Element>) -> Query { contains(id.formatArgument) }

    private func contains(_ object: ManagedValue) -> Query {
        if condition != nil { return any { $0.place.isOne(of: [object]) } }
        return Query(.comparison(.init(place.expression, .contains, .value(object))))
    }

    // MARK: Aggregates

    /// The number of objects. `@count`
    public var count: TypedKey<Int, Int> { TypedKey(collected.step("@count")) }

    /// Matches an empty collection.
    public var isEmpty: Query { count == 0 }

    /// The sum of a value over all objects; 0 if there are none. `@sum`
    public func sum<Value: ManagedAttribute & Numeric, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Value, Value?> {
        TypedKey(figure("@sum", of: key))
    }

    /// The mean of a value over all objects; `nil` if there are none. `@avg`
    public func average<Value: ManagedAttribute & Numeric, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Double, Double?> {
        TypedKey(figure("@avg", of: key))
    }

    /// The smallest value among all objects; `nil` if there are none. `@min`
    public func min<Value, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Value, Value?> {
        TypedKey(figure("@min", of: key))
    }

    /// The largest value among all objects; `nil` if there are none. `@max`
    public func max<Value, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Value, Value?> {
        TypedKey(figure("@max", of: key))
    }

    private func figure<Value, Result>(
        _ name: String, of key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> ConditionExpression {
        collected.step("\(name).\(TypedObject<Element>()[keyPath: key].expression.keyPathName)")
    }

    /// The collection, restricted by its condition.
    private var collected: ConditionExpression {
        guard let condition else { return place.expression }
        return .subquery(place.expression, variable: place.memberName, condition)
    }
}
