import DataMonkCore
import Foundation

extension StoreError {
    static func missingExternalData(_ name: String, in url: URL) -> StoreError {
        StoreError(
            .fileNotFound,
            """
            A value of \(url.lastPathComponent) is stored in the file \(name) in \
            \(ExternalDataFolder.url(of: url).lastPathComponent), which does not exist. Put the folder back beside \
            the store, or set the attribute again.
            """, storeURL: url)
    }

    /// The error for a folder that was moved, deleted or replaced while the store was open: a row would name a file that is
    /// not beside it.
    static func movedExternalData(_ url: URL) -> StoreError {
        StoreError(
            .fileMoved,
            """
            \(ExternalDataFolder.url(of: url).lastPathComponent), the folder with external data of \
            \(url.lastPathComponent), was moved, deleted or replaced while the store was open. Nothing was written. \
            Put the folder back, or close the stack and open it with a new Stack.
            """, storeURL: url)
    }

    static func externalDataIsLocked(_ url: URL) -> StoreError {
        let folder = ExternalDataFolder.url(of: url).appendingPathComponent(ExternalDataFolder.filesName)
        let holders = LockHolder.holders(ofFolderAt: folder.path).map(\.description)
        let names = holders.isEmpty ? "another process" : holders.joined(separator: " and ")
        return StoreError(
            .locked,
            """
            The folder with external data of \(url.lastPathComponent) is being cleaned up by \(names), which did not \
            finish before the deadline. Try again.
            """, storeURL: url)
    }

    static func externalDataIsNoFile(_ name: String, in url: URL) -> StoreError {
        StoreError(
            .readFailed,
            """
            \(name) in \(ExternalDataFolder.url(of: url).lastPathComponent) was replaced by something that is not a \
            regular file, so it is not read. Put the file back, or set the attribute again.
            """, storeURL: url)
    }

    /// The error for a failed system call on a file of external data.
    ///
    /// - Parameter failure: The code for a disk failure, while reading or while writing.
    static func externalData(
        _ code: Int32, name: String, in url: URL, failure: Code = .readFailed
    ) -> StoreError {
        let kind: Code =
            switch code {
            case ENOSPC, EDQUOT: .outOfSpace
            case EACCES, EPERM: .noWritePermission
            case EROFS: .readOnly
            case ELOOP, ENOTDIR, EFBIG: .readFailed
            case EIO, ENXIO: failure
            default: .operationFailed
            }
        return StoreError(
            kind,
            """
            \(name) in \(ExternalDataFolder.url(of: url).lastPathComponent), the folder with external data of \
            \(url.lastPathComponent), cannot be used: \(describeSystemError(code)). Symbolic links are not followed. \
            Check the folder, its permissions and the disk, and try again.
            """, storeURL: url)
    }

    /// The error for a file that a sweep, or a copy that cleans up after another one, cannot remove.
    static func unremovable(_ code: Int32, name: String, in url: URL) -> StoreError {
        var error = externalData(code, name: name, in: url, failure: .writeFailed)
        error.message = """
            \(name) in \(ExternalDataFolder.url(of: url).lastPathComponent), to which no object of \
            \(url.lastPathComponent) refers any more, could not be removed: \(describeSystemError(code)). Only space is \
            lost, and it is tried again when the store is next opened. Check the folder's permissions and the disk.
            """
        return error
    }

    /// The error for a directory that cannot be listed: it is unknown whether another store shares the folder.
    static func unlistedDirectory(_ code: Int32, of url: URL) -> StoreError {
        StoreError(
            .readFailed,
            """
            The directory of \(url.lastPathComponent) cannot be listed: \(describeSystemError(code)). It is unknown \
            whether another store has files there, so none are removed or replaced. Make the directory readable.
            """, storeURL: url)
    }

    static func damagedExternalData(_ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A value of \(url.lastPathComponent) is neither valid data nor the name of an external file. Restore the \
            store from a backup.
            """, storeURL: url)
    }
}
