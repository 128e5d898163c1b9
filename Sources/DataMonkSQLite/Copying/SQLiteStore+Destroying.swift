import DataMonkCore
package import Foundation

extension SQLiteStore {
    /// Removes a store with everything that belongs to it.
    ///
    /// ```
    /// lock              "locked" while anyone has the file open
    /// -wal, -shm        empty the log, and remove it: the store is then its file alone
    /// Shop.sqlite       the step by which the store is gone
    /// .Shop_SUPPORT/…   its external data, unless another store has the folder by now
    /// ```
    /// A process that ends after the store is gone leaves its external data for the next call, which finds no store.
    ///
    /// - Returns: `false` if there was nothing.
    /// - Throws: ``StoreError`` with the code `locked` if anyone has the store open, `incompatibleSchema` or `notADatabase` if
    ///   it is another program's file; the store is then unchanged. Others if a file cannot be removed.
    package static func destroy(_ url: URL) throws -> Bool {
        var status = stat()
        if lstat(url.path, &status) != 0, errno == ENOENT {
            return try StoreError.translatingFailures(of: url) { try removeExternalData(of: url) }
        }
        try ExclusiveAccess.to(url, label: "destroy") { access in
            try access.removeLog(at: url)
            _ = try remove(url.path)
            _ = try removeExternalData(of: url)
        }
        return true
    }

    /// Removes the external data of a store that is gone. Nothing is removed while somebody has a new store open there.
    ///
    /// - Returns: `false` if there was nothing.
    private static func removeExternalData(of url: URL) throws -> Bool {
        let folder = ExternalDataFolder(storeURL: url)
        let exists = try folder.open(creating: false) != nil
        try folder.whileAlone {
            // A store that was made here meanwhile has files of its own, and sweeps the old ones.
            var status = stat()
            guard lstat(url.path, &status) != 0, errno == ENOENT else { return }
            let names = try folder.names(in: folder.descriptorIfOpen).filter {
                ExternalDataFolder.identifier(in: $0) != nil
            }
            try folder.remove(names: Set(names))
        }
        return folder.removeIfEmpty() || exists
    }

    /// Returns `false` if there is no such file.
    private static func remove(_ path: String) throws -> Bool {
        let files = SystemFileCalls.inUse.withLock { $0 }
        if files.remove(path, in: AT_FDCWD) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw SQLiteFailure.system(errno, doing: "“\(path)” could not be removed", operation: .copy)
        }
        return false
    }
}
