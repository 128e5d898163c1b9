public import DataMonkCore

/// **Value.** The objects that a to-many leads to, in a condition that is written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self) { $0.friends.any { $0.age > 40 } && $0.friends.count < 10 }
/// // … WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZFRIEND = t0.Z_PK AND t1.ZAGE > ?1) > 0 AND …
/// ```
/// Inside the closure `$0` is one of the objects; those around it keep their names: `{ person in person.friends.any {
/// $0.age > person.age } }`.
public struct TypedCollection<Element: ManagedObject>: Sendable {
    private let place: TypedPlace
    /// What the objects have in common, as a condition on the place's member; nil for all of them.
    private let condition: Condition?

    init(_ place: TypedPlace) { self.init(place, nil) }

    private init(_ place: TypedPlace, _ condition: Condition?) {
        self.place = place
        self.condition = condition
    }

    /// The objects that meet a condition as well: `$0.friends.filter { $0.age > 40 }.count > 2`.
    public func filter(_ isIncluded: (TypedObject<Element>) throws -> Query) rethrows -> TypedCollection {
        let further = try isIncluded(TypedObject(place.member)).condition
        return TypedCollection(place, condition?.and(further) ?? further)
    }

    // MARK: Conditions

    /// At least one of the objects meets the condition; false if there is none.
    public func any(_ condition: (TypedObject<Element>) throws -> Query) rethrows -> Query {
        try filter(condition).count > 0
    }

    /// Every one of the objects meets the condition; true if there is none.
    public func all(_ condition: (TypedObject<Element>) throws -> Query) rethrows -> Query {
        try filter { !(try condition($0)) }.count == 0
    }

    /// No object meets the condition; true if there is none.
    public func none(_ condition: (TypedObject<Element>) throws -> Query) rethrows -> Query {
        try filter(condition).count == 0
    }

    /// The object is one of them.
    public func contains(_ object: Element) -> Query { contains(object.formatArgument) }

    /// The object with the id is one of them.
    public func contains(_ id: ObjectID<Element>) -> Query { contains(id.formatArgument) }

    private func contains(_ object: ManagedValue) -> Query {
        if condition != nil { return any { $0.place.isOne(of: [object]) } }
        return Query(.comparison(.init(place.expression, .contains, .value(object))))
    }

    // MARK: Figures

    /// How many they are. `@count`
    public var count: TypedKey<Int, Int> { TypedKey(collected.step("@count")) }

    /// Whether there is none.
    public var isEmpty: Query { count == 0 }

    /// The sum of a value of each; 0 if there is none. `@sum`
    public func sum<Value: ManagedAttribute & Numeric, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Value, Value?> {
        TypedKey(figure("@sum", key))
    }

    /// The mean of a value of each; nil if there is none. `@avg`
    public func average<Value: ManagedAttribute & Numeric, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Double, Double?> {
        TypedKey(figure("@avg", key))
    }

    /// The smallest of a value of each; nil if there is none. `@min`
    public func min<Value, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Value, Value?> {
        TypedKey(figure("@min", key))
    }

    /// The largest of a value of each; nil if there is none. `@max`
    public func max<Value, Result>(
        _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> TypedKey<Value, Value?> {
        TypedKey(figure("@max", key))
    }

    private func figure<Value, Result>(
        _ name: String, _ key: KeyPath<TypedObject<Element>, TypedKey<Value, Result>>
    ) -> ConditionExpression {
        collected.step("\(name).\(TypedObject<Element>()[keyPath: key].expression.keyPathName)")
    }

    /// The collection with its condition.
    private var collected: ConditionExpression {
        guard let condition else { return place.expression }
        return .subquery(place.expression, variable: place.memberName, condition)
    }
}
