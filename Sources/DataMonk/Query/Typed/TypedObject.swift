public import DataMonkCore

/// **Value.** An object in a condition written with key paths: the `$0` of a trailing closure.
///
/// ```swift
/// try World.fetchAll(Person.self) { $0.age >= 18 && $0.friend.location == "Taipei" }
/// // SELECT … FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND WHERE t0.ZAGE >= ?1 AND t1.ZLOCATION = ?2
/// ```
/// It has the properties of the class: an attribute is a ``TypedKey``, a to-one relationship a ``TypedLink``, a to-many
/// relationship a ``TypedCollection``. The compiler checks names and types. Nothing is read: the closure runs once and
/// builds the condition.
///
/// A computed property has no key in the store. A condition that uses one throws a `FetchError` before any SQL runs.
@dynamicMemberLookup
public struct TypedObject<Object: ManagedObject>: Sendable {
    let place: TypedPlace

    init(_ place: TypedPlace = .fetched) { self.place = place }

    /// The object that a query fetches.
    @usableFromInline static var fetched: TypedObject { TypedObject() }

    /// An attribute.
    public subscript<Value: ManagedAttribute>(dynamicMember key: KeyPath<Object, Value>) -> TypedKey<Value, Value> {
        TypedKey(place.value(at: key, of: Object.self))
    }

    /// An optional attribute.
    public subscript<Value: ManagedAttribute>(dynamicMember key: KeyPath<Object, Value?>) -> TypedKey<Value, Value?> {
        TypedKey(place.value(at: key, of: Object.self))
    }

    /// The destination of a to-one relationship.
    public subscript<Destination: ManagedObject>(
        dynamicMember key: KeyPath<Object, Destination?>
    ) -> TypedLink<Destination> {
        TypedLink(place.step(along: key, of: Object.self))
    }

    /// The destinations of a to-many relationship.
    public subscript<Element: ManagedObject>(
        dynamicMember key: KeyPath<Object, Set<Element>>
    ) -> TypedCollection<Element> {
        TypedCollection(place.step(along: key, of: Object.self))
    }

    /// The destinations of an ordered to-many relationship.
    public subscript<Element: ManagedObject>(
        dynamicMember key: KeyPath<Object, [Element]>
    ) -> TypedCollection<Element> {
        TypedCollection(place.step(along: key, of: Object.self))
    }
}

extension TypedObject {
    /// Matches the given object. `Z_PK = ?`
    public static func == (object: Self, other: Object?) -> Query { object.place.compare(.equal, to: other) }

    /// Matches any other object. `Z_PK IS NOT ?`
    public static func != (object: Self, other: Object?) -> Query { object.place.compare(.notEqual, to: other) }

    /// Matches the object with the id. `Z_PK = ?`
    public static func == (object: Self, id: ObjectID<Object>) -> Query { object.place.compare(.equal, to: id) }

    /// Matches any other object. `Z_PK IS NOT ?`
    public static func != (object: Self, id: ObjectID<Object>) -> Query { object.place.compare(.notEqual, to: id) }

    /// Matches if both are the same object.
    public static func == <Other>(object: Self, other: TypedObject<Other>) -> Query {
        object.place.compare(.equal, to: other.place)
    }

    /// Matches if the two are different objects.
    public static func != <Other>(object: Self, other: TypedObject<Other>) -> Query {
        object.place.compare(.notEqual, to: other.place)
    }

    /// Matches the given objects. `Z_PK IN (…)`
    public func `in`<Objects: Sequence>(_ objects: Objects) -> Query where Objects.Element: ManagedObject {
        place.isOne(of: objects.map(\.formatArgument))
    }

    /// Matches the objects with the ids. `Z_PK IN (…)`
    public func `in`<IDs: Sequence>(_ ids: IDs) -> Query where IDs.Element == ObjectID<Object> {
        place.isOne(of: ids.map(\.formatArgument))
    }
}
