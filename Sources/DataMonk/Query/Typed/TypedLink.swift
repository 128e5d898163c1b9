public import DataMonkCore

/// **Value.** The destination of a to-one relationship, in a condition written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self) { $0.friend.location == "Taipei" || $0.friend == nil }
/// // … LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND WHERE t1.ZLOCATION = ?1 OR t0.ZFRIEND IS NULL
/// ```
/// If the destination is `nil`, every value behind it is `nil`. A path therefore needs no optional chaining, and each of its
/// values is optional.
@dynamicMemberLookup
public struct TypedLink<Object: ManagedObject>: Sendable {
    let place: TypedPlace

    init(_ place: TypedPlace) { self.place = place }

    /// An attribute.
    public subscript<Value: ManagedAttribute>(dynamicMember key: KeyPath<Object, Value>) -> TypedKey<Value, Value?> {
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
        TypedLink<Destination>(place.step(along: key, of: Object.self))
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

extension TypedLink {
    /// Matches a relationship to the object or, for `nil`, to none. `ZFRIEND = ?`, `ZFRIEND IS NULL`
    public static func == (link: Self, object: Object?) -> Query { link.place.compare(.equal, to: object) }

    /// Matches a relationship to another object, or to none; for `nil`, to any object. `ZFRIEND IS NOT ?`
    public static func != (link: Self, object: Object?) -> Query { link.place.compare(.notEqual, to: object) }

    /// Matches a relationship to the object with the id. `ZFRIEND = ?`
    public static func == (link: Self, id: ObjectID<Object>) -> Query { link.place.compare(.equal, to: id) }

    /// Matches a relationship to another object, or to none. `ZFRIEND IS NOT ?`
    public static func != (link: Self, id: ObjectID<Object>) -> Query { link.place.compare(.notEqual, to: id) }

    /// Matches if both relationships have the same destination, or none. `t0.ZFRIEND IS t0.ZTEACHER`
    public static func == <Other>(link: Self, other: TypedLink<Other>) -> Query {
        link.place.compare(.equal, to: other.place)
    }

    /// Matches if the two relationships have different destinations. `t0.ZFRIEND IS NOT t0.ZTEACHER`
    public static func != <Other>(link: Self, other: TypedLink<Other>) -> Query {
        link.place.compare(.notEqual, to: other.place)
    }

    /// Matches a relationship to the object itself. `t0.ZFRIEND IS t0.Z_PK`
    public static func == <Other>(link: Self, object: TypedObject<Other>) -> Query {
        link.place.compare(.equal, to: object.place)
    }

    /// Matches a relationship to another object, or to none. `t0.ZFRIEND IS NOT t0.Z_PK`
    public static func != <Other>(link: Self, object: TypedObject<Other>) -> Query {
        link.place.compare(.notEqual, to: object.place)
    }

    /// Matches a relationship to one of the objects. `ZFRIEND IN (…)`
    public func `in`<Objects: Sequence>(_ objects: Objects) -> Query where Objects.Element: ManagedObject {
        place.isOne(of: objects.map(\.formatArgument))
    }

    /// Matches a relationship to one of the objects with the ids. `ZFRIEND IN (…)`
    public func `in`<IDs: Sequence>(_ ids: IDs) -> Query where IDs.Element == ObjectID<Object> {
        place.isOne(of: ids.map(\.formatArgument))
    }
}
