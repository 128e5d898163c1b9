public import Foundation

/// **Value.** An object's identity, free to cross isolation: to another context, task or thread.
///
/// Equal for the same object in every context of one stack. The id of an object that was never saved is temporary;
/// after its first save the object has a permanent one, and the temporary id still finds it in its own context.
///
/// Its ``uri`` (`x-coredata://<store>/<Entity>/p<key>`) can be written down and turned back by the stack.
public struct AnyObjectID: Hashable, Sendable {
    package let key: ObjectKey
    /// Who can tell what the key means.
    package let directory: ObjectDirectory

    package init(key: ObjectKey, directory: ObjectDirectory) {
        self.key = key
        self.directory = directory
    }

    /// The name of the object's entity.
    public var entityName: String { directory.model.entities[key.entityIndex].name }

    /// Whether no store knows the object yet.
    public var isTemporaryID: Bool { key.isTemporary }

    /// The id as text that survives the process: `x-coredata://<store uuid>/<Entity>/p<primary key>`, or
    /// `x-coredata:///<Entity>/t<number>` while it is temporary.
    public var uri: URL { directory.uri(of: key) }

    /// Whether both are the same object of the same stack.
    public static func == (left: AnyObjectID, right: AnyObjectID) -> Bool {
        left.key == right.key && left.directory === right.directory
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension AnyObjectID: CustomStringConvertible {
    /// The URI.
    public var description: String { uri.absoluteString }
}

/// **Value.** An ``AnyObjectID`` that knows its object's class.
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

    /// The id as one of an object of a class: that of a commit, or of a URI.
    ///
    ///     let id = try ObjectID(commit.inserted[0], as: Person.self)
    ///
    /// - Throws: ``FetchError`` with the code `wrongClass` if objects of the id's entity are of another class.
    public init(_ id: AnyObjectID, as type: Object.Type) throws(FetchError) {
        let layout = id.directory.layout(of: id.key)
        guard layout.objectClass is Object.Type else { throw FetchError.wrongClass(type, layout.entity) }
        erased = id
    }

    /// The name of the object's entity.
    public var entityName: String { erased.entityName }

    /// Whether no store knows the object yet.
    public var isTemporaryID: Bool { erased.isTemporaryID }

    /// The id as text that survives the process.
    public var uri: URL { erased.uri }
}

extension ObjectID: CustomStringConvertible {
    /// The URI.
    public var description: String { erased.description }
}
