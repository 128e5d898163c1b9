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

extension AnyObjectID: CustomReflectable {
    /// A mirror without children: debuggers, `dump` and Swift Testing show the URI alone, and do not walk through the model
    /// and the stores behind it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
