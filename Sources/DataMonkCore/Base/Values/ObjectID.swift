public import Foundation

/// **Value.** The identity of an object. Sendable: it can be passed to another context, task or thread.
///
/// Ids of the same object are equal in every context of a stack. The id of an object that was never saved is temporary.
/// The object's first save gives it a permanent id; its own context still finds it by the temporary one.
///
/// Its ``uri`` (`x-coredata://<store>/<Entity>/p<key>`) can be stored, and the stack can convert it back to an id.
public struct AnyObjectID: Hashable, Sendable {
    package let key: ObjectKey
    /// The directory that interprets the key.
    package let directory: ObjectDirectory

    package init(key: ObjectKey, directory: ObjectDirectory) {
        self.key = key
        self.directory = directory
    }

    /// The name of the object's entity.
    public var entityName: String { directory.model.entities[key.entityIndex].name }

    /// Indicates whether the object has not been saved to a store yet.
    public var isTemporaryID: Bool { key.isTemporary }

    /// The id as a URI that remains valid after the process ends: `x-coredata://<store uuid>/<Entity>/p<primary key>`, or
    /// `x-coredata:///<Entity>/t<number>` while it is temporary.
    public var uri: URL { directory.uri(of: key) }

    /// Returns `true` if both identify the same object of the same stack.
    public static func == (left: AnyObjectID, right: AnyObjectID) -> Bool {
        left.key == right.key && left.directory === right.directory
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension AnyObjectID: CustomStringConvertible {
    /// The URI as text.
    public var description: String { uri.absoluteString }
}

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
        guard layout.objectClass is Object.Type else { throw FetchError.wrongClass(type, layout.entity) }
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
