public import Foundation

/// **Value.** An error of DataMonk: every one has a message that describes the problem and its remedy.
///
/// ```swift
/// do {
///     try stack.addDatabaseStore(fileURL: url)
/// } catch let error as any DataMonkError {
///     print(error.message)
/// }
/// ```
public protocol DataMonkError: LocalizedError, CustomStringConvertible {
    /// A description of the problem and its remedy.
    var message: String { get }
}

extension DataMonkError {
    /// The message.
    public var description: String { message }

    /// The message, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }
}
