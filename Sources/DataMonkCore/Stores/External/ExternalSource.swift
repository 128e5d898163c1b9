package import Foundation

/// Where a store keeps the data that lies in files of its own.
package protocol ExternalSource: AnyObject, Sendable {
    /// Reads a file.
    ///
    /// - Throws: ``StoreError`` if it is missing or cannot be read.
    func data(of identifier: UUID) throws -> Data
    /// Tells the stack's error handler of what a property read could not throw.
    func report(_ error: any Error)
}
