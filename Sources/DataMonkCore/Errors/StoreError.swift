public import Foundation

/// **Value.** What a persistent store could not do, and what to do about it.
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
public struct StoreError: Error, Sendable {
    /// What went wrong. Open: other stores may add codes of their own.
    public var code: Code
    /// What went wrong and how to mend it, for a person.
    public var message: String
    /// The entity concerned, where one is.
    public var entityName: String?
    /// The `x-coredata:` address of the object concerned, where one is.
    public var objectURI: String?
    /// The store's file, where it has one.
    public var storeURL: URL?
    /// What the layer below reported.
    public var underlyingError: (any Error)?

    /// An error of a store, for code that implements one.
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

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The code, the message and the names of what is concerned, in one line.
    public var description: String {
        var text = "StoreError \(code): \(message)"
        if let entityName { text += " [entity \(entityName)]" }
        if let objectURI { text += " [object \(objectURI)]" }
        if let storeURL { text += " [store \(storeURL.isFileURL ? storeURL.path : storeURL.absoluteString)]" }
        if let underlyingError { text += " [cause: \(underlyingError)]" }
        return text
    }

    /// The message, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }
}
