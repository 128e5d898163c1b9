public import Foundation

/// **Value.** A finished backup of a store.
///
/// ```swift
/// let backup = try await stack.backUp(to: url)
/// print(backup.byteCount, backup.missingFiles)
/// ```
public struct StoreBackup: Sendable {
    /// **Value.** The progress of a backup.
    public struct Progress: Sendable, Hashable {
        /// The number of bytes copied so far.
        public var completedByteCount: Int64
        /// The number of bytes to copy: the database and its external data.
        public var totalByteCount: Int64

        package init(completedByteCount: Int64, totalByteCount: Int64) {
            self.completedByteCount = completedByteCount
            self.totalByteCount = totalByteCount
        }

        /// The completed part, from 0 to 1.
        public var fractionCompleted: Double {
            totalByteCount == 0 ? 1 : Double(completedByteCount) / Double(totalByteCount)
        }
    }

    /// The backup: a store like any other.
    public var url: URL
    /// The size of the database and of its external data, in bytes.
    public var byteCount: Int64
    /// The number of copied files of external data.
    public var externalFileCount: Int
    /// The names of the files of external data that rows refer to and that were missing already. Unknown, and empty, if the copy
    /// was made by the model inside the store, and that cannot be read.
    public var missingFiles: [String]

    package init(url: URL, byteCount: Int64, externalFileCount: Int, missingFiles: [String]) {
        self.url = url
        self.byteCount = byteCount
        self.externalFileCount = externalFileCount
        self.missingFiles = missingFiles
    }
}
