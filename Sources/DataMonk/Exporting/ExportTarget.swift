import DataMonkSQLite
public import Foundation

/// **Shared.** The place where an export is written to.
public enum ExportTarget: Sendable {
    /// A file, which appears at its place with one step, when it is complete and on disk.
    case file(URL)
    /// A function that is called with one part after the other, on the thread that exports. Each part is of the export's state;
    /// together they are the rows only if the export returns. An error that the function throws ends it. While it runs, the
    /// store's state is held, so it should not wait for long.
    case sink(@Sendable (Data) throws -> Void)
}

extension ExportTarget {
    /// Throws an error if the target is one of some files, by whatever path or link, one that SQLite has beside them, or a value
    /// that they keep outside of them.
    ///
    /// - Parameter reason: The role of the files, for the message: "is …".
    /// - Throws: ``FormatError`` with the code `unwritableFile`.
    package func requireNone(of files: [URL], because reason: String) throws {
        guard case .file(let url) = self, let target = FileIdentity(ofFileIfPresentAt: url) else { return }
        let folder = FileIdentity(ofFileIfPresentAt: url.resolvingSymlinksInPath().deletingLastPathComponent())
        for file in files {
            // SQLite's files lie beside the file that a link leads to.
            let path = file.resolvingSymlinksInPath().path
            let values = FileIdentity(ofFileIfPresentAt: SQLiteStore.externalDataFolder(ofStoreAt: URL(filePath: path)))
            let isTarget = ["", "-wal", "-shm", "-journal"].contains {
                FileIdentity(ofFileIfPresentAt: URL(filePath: path + $0)) == target
            }
            if isTarget || values != nil && values == folder {
                throw FormatError(
                    .unwritableFile, "\(url.lastPathComponent) \(reason), and is not replaced. Choose another place.")
            }
        }
    }
}
