public import Foundation

/// **Value.** An ``AnyObjectID`` with its object's class.
///
///     let id = warrior.objectID                       // ObjectID<Person>
///     try await World.update { update in
///         let warrior = try update.use(id)            // a Person of this update
///         warrior.age += 1
///         try update.commit()
///     }
public struct ObjectID<Object: ManagedObject>: Hashable, Sendable {
    /// The same id without the class.
    public let erased: AnyObjectID

    package init(_ erased: AnyObjectID) { self.erased = erased }

    /// Creates an id with a class from one without, such as an id of a commit or of a URI.
    ///
    ///     let id = try ObjectID(commit.inserted[0], as: Person.self)
    ///
    /// - Throws: ``FetchError`` with the code `wrongClass` if objects of the id's entity are not of this class.
    public init(_ id: AnyObjectID, as type: Object.Type) throws(FetchError) {
        let layout = id.directory.layout(of: id.key)
        guard layout.objectClass is Object.Type else { throw FetchError.wrongClass(type, of: layout.entity) }
        erased = id
    }

    /// The name of the object's entity.
    public var entityName: String { erased.entityName }

    /// Indicates whether the object has not been saved to a store yet.
    public var isTemporaryID: Bool { erased.isTemporaryID }

    /// The id as a URI that remains valid after the process ends.
    public var uri: URL { erased.uri }
}

extension ObjectID: CustomStringConvertible {
    /// The URI as text.
    public var description: String { erased.description }
}

extension ObjectID: CustomReflectable {
    /// A mirror without children, as an ``AnyObjectID`` has.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ObjectID: FormatArgument {
    /// The object with the id.
    public var formatArgument: ManagedValue { .object(erased) }
}
