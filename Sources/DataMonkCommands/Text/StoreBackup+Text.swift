import DataMonkCore
import Foundation

extension StoreBackup {
    /// Returns the result for people to read.
    package var text: String {
        var text = "Copied \(byteCount) bytes to \(url.path)"
        if externalFileCount > 0 { text += ", with \(externalFileCount) files of external data" }
        text += "\n"
        if !missingFiles.isEmpty {
            text += "Missing in the original already: \(missingFiles.joined(separator: ", "))\n"
        }
        return text
    }
}
