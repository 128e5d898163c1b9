package import Foundation

/// **Value.** The identity of a file, independent of its name.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Creates the identity of the file that is now at a location, or `nil` if none can be found there.
    package init?(ofFileIfPresentAt url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates the identity of the file that is now at a path.
    ///
    /// - Throws: ``SQLiteFailure`` with the system's error.
    init(ofFileAt path: String) throws(SQLiteFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw SQLiteFailure.system(errno, doing: "The attributes of “\(path)” could not be read", operation: .open)
        }
        self.init(status)
    }

    /// Creates the identity of a file that was examined.
    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
