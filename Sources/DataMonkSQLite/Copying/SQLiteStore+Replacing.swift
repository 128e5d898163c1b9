package import DataMonkCore
package import Foundation

extension SQLiteStore {
    /// Replaces a store by a copy of another one, which may be in use.
    ///
    /// ```
    /// lock the old store     "locked" while anyone has it open
    /// copy the new one       beside it; see `StoreCopier`
    /// empty the old log      the old store is then its file alone
    /// rename                 the step by which the new store takes the place of the old one
    /// ```
    /// A process that ends before the last step leaves the old store, one that ends after it the new one. External data of the
    /// old store is removed when the new one is next opened.
    ///
    /// - Parameter allowsMissingFiles: Whether the store is replaced although rows of the other one refer to files that do not
    ///   exist. They are known if the model inside the other store can be read.
    /// - Throws: ``StoreError`` with the code `locked` if anyone has the old store open, `fileNotFound` for missing files that
    ///   are not allowed, and those of a backup. The old store is then unchanged; `NewStoreFile` names the exception.
    ///   `CancellationError` if the task is cancelled.
    package static func replace(
        _ url: URL, with source: URL, allowsMissingFiles: Bool = false,
        observer: (StoreBackup.Progress) throws -> Void = { _ in }
    ) throws -> StoreBackup {
        guard FileManager.default.fileExists(atPath: url.path) else {
            return try StoreCopier.backUp(
                source, to: url, schema: { StoreCopier.storedSchema(of: source, on: $0) },
                allowsMissingFiles: allowsMissingFiles, observer: observer)
        }
        if FileManager.default.fileExists(atPath: source.path) {
            try StoreError.translatingFailures(of: source) {
                guard try FileIdentity(ofFileAt: url.path) != FileIdentity(ofFileAt: source.path) else {
                    throw StoreError.replacedByItself(url)
                }
            }
        }
        return try ExclusiveAccess.to(url, label: "replace") { access in
            try StoreCopier.backUp(
                source, to: url, schema: { StoreCopier.storedSchema(of: source, on: $0) },
                allowsMissingFiles: allowsMissingFiles, observer: observer,
                replacingAfter: {
                    try access.removeLog(at: url)
                })
        }
    }
}

extension StoreError {
    fileprivate static func replacedByItself(_ url: URL) -> StoreError {
        StoreError(
            .fileExists, "\(url.lastPathComponent) cannot be replaced by itself. Name another store.", storeURL: url)
    }
}
