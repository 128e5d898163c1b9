import DataMonkCore
import Foundation

extension StoreBackup {
    /// The output of `backup --json`.
    package var json: JSONValue {
        [
            "path": .string(url.path), "bytes": .integer(byteCount), "externalFiles": .integer(externalFileCount),
            "missingFiles": .strings(missingFiles),
        ]
    }
}
