import DataMonkCore

/// **Value.** The error for a file of external data that is there and cannot be read: no permission, a failing disk, something
/// that is no file. Unlike those of the copy, or of a process that is short of something, it is the original's.
struct UnreadableFile: Error {
    let error: StoreError

    /// Runs a read of an original.
    static func noting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError where error.isOfUnreadableFile {
            throw UnreadableFile(error: error)
        }
    }
}

extension StoreError {
    /// A Boolean value indicating whether an error of external data is that of the file or its folder.
    var isOfUnreadableFile: Bool { [.readFailed, .noWritePermission].contains(code) }
}
