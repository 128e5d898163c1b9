import DataMonkCore
import Foundation

extension StoreError {
    static func missingExternalData(_ name: String, _ url: URL) -> StoreError {
        StoreError(
            .fileNotFound,
            """
            A value of \(url.lastPathComponent) lies in the file \(name) of \
            \(ExternalDataFolder.url(of: url).lastPathComponent), which is not there. Put the folder back beside the store, \
            or set the attribute anew.
            """, storeURL: url)
    }

    /// The error for a folder that was moved, deleted or replaced while the store was open: a row would name a file that is
    /// not beside it.
    static func movedExternalData(_ url: URL) -> StoreError {
        StoreError(
            .fileMoved,
            """
            \(ExternalDataFolder.url(of: url).lastPathComponent), the folder with the large values of \
            \(url.lastPathComponent), was moved, deleted or replaced while the store was open. Nothing was written. Put the \
            folder back, or close the stack and open it with a new Stack.
            """, storeURL: url)
    }

    static func externalDataIsLocked(_ url: URL) -> StoreError {
        StoreError(
            .locked,
            """
            Somebody is clearing the folder with the large values of \(url.lastPathComponent), and was not done at the \
            deadline. Try again.
            """, storeURL: url)
    }

    static func externalDataIsNoFile(_ name: String, _ url: URL) -> StoreError {
        StoreError(
            .readFailed,
            """
            \(name) in \(ExternalDataFolder.url(of: url).lastPathComponent) is no regular file, and is not read: somebody \
            has put it there. Put the file back, or set the attribute anew.
            """, storeURL: url)
    }

    /// The error for a failed system call on a file of external data.
    ///
    /// - Parameter failure: The code for a disk failure, while reading or while writing.
    static func externalData(
        _ code: Int32, _ name: String, _ url: URL, failure: Code = .readFailed
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
            \(name) in \(ExternalDataFolder.url(of: url).lastPathComponent), the folder with the large values of \
            \(url.lastPathComponent), cannot be used: \(describeSystemError(code)). Links are not followed. Check the \
            folder, its permissions and the disk, and try again.
            """, storeURL: url)
    }

    static func damagedExternalData(_ url: URL) -> StoreError {
        StoreError(
            .corrupt,
            """
            A value of \(url.lastPathComponent) that may lie in a file of its own begins neither as data nor as a file's \
            name. Restore the store from a copy.
            """, storeURL: url)
    }
}
