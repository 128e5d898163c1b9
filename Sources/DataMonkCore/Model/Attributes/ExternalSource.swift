package import Foundation

/// A store's source of data in separate files.
package protocol ExternalSource: AnyObject, Sendable {
    /// Reads a file.
    ///
    /// - Throws: ``StoreError`` if it is missing or cannot be read.
    func data(of identifier: UUID) throws -> Data
    /// Reports an error that a property read could not throw to the stack's error handler.
    func report(_ error: any Error)
}
