public import Foundation

/// **Value.** A failed operation of a persistent store, and its remedy.
///
/// ```swift
/// do {
///     try stack.addDatabaseStore(fileURL: url)
/// } catch let error as StoreError where error.code == .notADatabase {
///     // `error.storeURL` names the file, `error.message` says the remedy.
/// }
/// ```
///
/// The message never contains values of attributes.
public struct StoreError: DataMonkError, Sendable {
    /// The reason for the error. Open: other stores may add their own codes.
    public var code: Code
    /// A description of the problem and its remedy, for people.
    public var message: String
    /// The name of the entity concerned, if there is one.
    public var entityName: String?
    /// The `x-coredata:` URI of the object concerned, if there is one.
    public var objectURI: String?
    /// The store's file, if it has one.
    public var storeURL: URL?
    /// The error of the underlying layer.
    public var underlyingError: (any Error)?

    /// Creates an error, for code that implements a store.
    public init(
        _ code: Code, _ message: String, entityName: String? = nil, objectURI: String? = nil, storeURL: URL? = nil,
        underlyingError: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entityName = entityName
        self.objectURI = objectURI
        self.storeURL = storeURL
        self.underlyingError = underlyingError
    }
}

extension StoreError {
    /// The code, the message and the names of the entity, the object and the store, in one line.
    public var description: String {
        var text = "StoreError \(code): \(message)"
        if let entityName { text += " [entity \(entityName)]" }
        if let objectURI { text += " [object \(objectURI)]" }
        if let storeURL { text += " [store \(storeURL.isFileURL ? storeURL.path : storeURL.absoluteString)]" }
        if let underlyingError { text += " [cause: \(underlyingError)]" }
        return text
    }
}
