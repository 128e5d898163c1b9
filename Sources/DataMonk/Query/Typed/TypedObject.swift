public import DataMonkCore

/// **Value.** An object of a condition that is written with key paths: what `$0` is in a trailing closure.
///
/// ```swift
/// try World.fetchAll(Person.self) { $0.age >= 18 && $0.friend.location == "Taipei" }
/// // SELECT … FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND WHERE t0.ZAGE >= ?1 AND t1.ZLOCATION = ?2
/// ```
/// It has the properties of the class: an attribute is a ``TypedKey``, a to-one a ``TypedLink``, a to-many a
/// ``TypedCollection``. The compiler knows names and types; nothing is read, the closure runs once and says what to look
/// for.
///
/// A computed property has no key in the store: a condition with one throws a `FetchError` before the store is asked.
@dynamicMemberLookup
public struct TypedObject<Object: ManagedObject>: Sendable {
    let place: TypedPlace

    init(_ place: TypedPlace = .fetched) { self.place = place }

    /// An attribute.
    public subscript<Value: ManagedAttribute>(dynamicMember key: KeyPath<Object, Value>) -> TypedKey<Value, Value> {
        TypedKey(place.value(at: key, of: Object.self))
    }

    /// An optional attribute.
    public subscript<Value: ManagedAttribute>(dynamicMember key: KeyPath<Object, Value?>) -> TypedKey<Value, Value?> {
        TypedKey(place.value(at: key, of: Object.self))
    }

    /// The object that a to-one leads to.
    public subscript<Destination: ManagedObject>(
        dynamicMember key: KeyPath<Object, Destination?>
    ) -> TypedLink<Destination> {
        TypedLink(place.step(along: key, of: Object.self))
    }

    /// The objects that a to-many leads to.
    public subscript<Element: ManagedObject>(
        dynamicMember key: KeyPath<Object, Set<Element>>
    ) -> TypedCollection<Element> {
        TypedCollection(place.step(along: key, of: Object.self))
    }

    /// The objects that an ordered to-many leads to.
    public subscript<Element: ManagedObject>(
        dynamicMember key: KeyPath<Object, [Element]>
    ) -> TypedCollection<Element> {
        TypedCollection(place.step(along: key, of: Object.self))
    }
}

extension TypedObject {
    /// It is the object. `Z_PK = ?`
    public static func == (object: Self, other: Object?) -> Query { object.place.compare(.equal, other) }

    /// It is another object. `Z_PK IS NOT ?`
    public static func != (object: Self, other: Object?) -> Query { object.place.compare(.notEqual, other) }

    /// It is the object with the id. `Z_PK = ?`
    public static func == (object: Self, id: ObjectID<Object>) -> Query { object.place.compare(.equal, id) }

    /// It is another object. `Z_PK IS NOT ?`
    public static func != (object: Self, id: ObjectID<Object>) -> Query { object.place.compare(.notEqual, id) }

    /// Both are the same object.
    public static func == <Other>(object: Self, other: TypedObject<Other>) -> Query {
        object.place.compare(.equal, other.place)
    }

    /// They are different objects.
    public static func != <Other>(object: Self, other: TypedObject<Other>) -> Query {
        object.place.compare(.notEqual, other.place)
    }

    /// It is one of the objects. `Z_PK IN (…)`
    public func `in`<Objects: Sequence>(_ objects: Objects) -> Query where Objects.Element: ManagedObject {
        place.isOne(of: objects.map(\.formatArgument))
    }

    /// It is one of the objects with the ids. `Z_PK IN (…)`
    public func `in`<IDs: Sequence>(_ ids: IDs) -> Query where IDs.Element == ObjectID<Object> {
        place.isOne(of: ids.map(\.formatArgument))
    }
}
