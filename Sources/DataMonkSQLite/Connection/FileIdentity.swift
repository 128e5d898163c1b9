import Foundation

/// **Value.** The identity of a file, independent of its name.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

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

    /// Creates the identity of the file behind a descriptor.
    ///
    /// - Throws: ``SQLiteFailure`` with the system's error.
    init(ofFile descriptor: Int32) throws(SQLiteFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw SQLiteFailure.system(
                errno, doing: "The attributes of an open file could not be read", operation: .open)
        }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
