public import DataMonkCore

/// **Value.** The new value of a property in a batch update, written with a key path.
///
/// ```swift
/// try update.batchUpdate(Person.self, set: [.set(\.location, to: "Rome"), .set(\.age) { $0.age + 1 }]) { $0.age < 18 }
/// // UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = …, ZLOCATION = ?1 WHERE Z_PK IN (SELECT … WHERE t0.ZAGE < ?3)
/// ```
/// The compiler checks the property, which must be one that can be set, and the type of the value.
public struct TypedAssignment<Object: ManagedObject>: Sendable {
    /// The name of the property.
    let name: String
    /// The new value.
    let value: ConditionExpression

    private init(_ key: PartialKeyPath<Object>, _ value: ConditionExpression) {
        name = Object.name(of: key)
        self.value = value
    }

    /// Sets an attribute to a value; to `nil` if it is optional. `ZLOCATION = ?`
    public static func set<Value: ManagedAttribute>(
        _ key: ReferenceWritableKeyPath<Object, Value>, to value: Value
    ) -> TypedAssignment {
        TypedAssignment(key, value.constant)
    }

    /// Sets an attribute to a value that is calculated for each object from its attributes before the update:
    /// `.set(\.age) { $0.age + 1 }`. `ZAGE = …`
    ///
    /// An object for which the value would be `nil`, as the sum of a missing number, or which the model does not allow,
    /// rolls the update back.
    public static func set<Value: ManagedAttribute, Result>(
        _ key: ReferenceWritableKeyPath<Object, Value>,
        to value: (TypedObject<Object>) throws -> TypedKey<Value, Result>
    ) rethrows -> TypedAssignment {
        TypedAssignment(key, try value(TypedObject()).expression)
    }

    /// Sets an optional attribute to a value that is calculated for each object. `ZAGE = …`
    public static func set<Value: ManagedAttribute, Result>(
        _ key: ReferenceWritableKeyPath<Object, Value?>,
        to value: (TypedObject<Object>) throws -> TypedKey<Value, Result>
    ) rethrows -> TypedAssignment {
        TypedAssignment(key, try value(TypedObject()).expression)
    }

    /// Sets a to-one relationship to an object, or to `nil`. `ZFRIEND = ?`
    public static func set<Destination: ManagedObject>(
        _ key: ReferenceWritableKeyPath<Object, Destination?>, to object: Destination?
    ) -> TypedAssignment {
        TypedAssignment(key, .value(object?.formatArgument ?? .null))
    }

    /// Sets a to-one relationship to the object with an id. `ZFRIEND = ?`
    public static func set<Destination: ManagedObject>(
        _ key: ReferenceWritableKeyPath<Object, Destination?>, to id: ObjectID<Destination>
    ) -> TypedAssignment {
        TypedAssignment(key, .value(id.formatArgument))
    }
}
