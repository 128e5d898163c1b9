public import DataMonkCore

/// **Value.** The object that a to-one leads to, in a condition that is written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self) { $0.friend.location == "Taipei" || $0.friend == nil }
/// // … LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND WHERE t1.ZLOCATION = ?1 OR t0.ZFRIEND IS NULL
/// ```
/// Where the to-one leads nowhere everything behind it is nil: a path is written with plain points, and each of its values
/// is optional.
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

    /// The object that a to-one leads to.
    public subscript<Destination: ManagedObject>(
        dynamicMember key: KeyPath<Object, Destination?>
    ) -> TypedLink<Destination> {
        TypedLink<Destination>(place.step(along: key, of: Object.self))
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

extension TypedLink {
    /// The to-one leads to the object; for nil, nowhere. `ZFRIEND = ?`, `ZFRIEND IS NULL`
    public static func == (link: Self, object: Object?) -> Query { link.place.compare(.equal, object) }

    /// The to-one leads elsewhere or nowhere; for nil, somewhere. `ZFRIEND IS NOT ?`
    public static func != (link: Self, object: Object?) -> Query { link.place.compare(.notEqual, object) }

    /// The to-one leads to the object with the id. `ZFRIEND = ?`
    public static func == (link: Self, id: ObjectID<Object>) -> Query { link.place.compare(.equal, id) }

    /// The to-one leads elsewhere or nowhere. `ZFRIEND IS NOT ?`
    public static func != (link: Self, id: ObjectID<Object>) -> Query { link.place.compare(.notEqual, id) }

    /// Both to-ones lead to the same object, or both nowhere. `t0.ZFRIEND IS t0.ZTEACHER`
    public static func == <Other>(link: Self, other: TypedLink<Other>) -> Query {
        link.place.compare(.equal, other.place)
    }

    /// The two to-ones lead to different objects. `t0.ZFRIEND IS NOT t0.ZTEACHER`
    public static func != <Other>(link: Self, other: TypedLink<Other>) -> Query {
        link.place.compare(.notEqual, other.place)
    }

    /// The to-one leads to the object itself. `t0.ZFRIEND IS t0.Z_PK`
    public static func == <Other>(link: Self, object: TypedObject<Other>) -> Query {
        link.place.compare(.equal, object.place)
    }

    /// The to-one leads elsewhere. `t0.ZFRIEND IS NOT t0.Z_PK`
    public static func != <Other>(link: Self, object: TypedObject<Other>) -> Query {
        link.place.compare(.notEqual, object.place)
    }

    /// The to-one leads to one of the objects. `ZFRIEND IN (…)`
    public func `in`<Objects: Sequence>(_ objects: Objects) -> Query where Objects.Element: ManagedObject {
        place.isOne(of: objects.map(\.formatArgument))
    }

    /// The to-one leads to one of the objects with the ids. `ZFRIEND IN (…)`
    public func `in`<IDs: Sequence>(_ ids: IDs) -> Query where IDs.Element == ObjectID<Object> {
        place.isOne(of: ids.map(\.formatArgument))
    }
}
