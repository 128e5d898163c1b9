import DataMonk
import DataMonkTesting
import Foundation
import JSONFolderStore
import Testing

@Suite struct JSONRecordsTests {
    @Test(arguments: StoreContract.rules) func `keeps the contract`(rule: StoreContract.Rule) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk-\(UUID())")
        // Nothing may have been saved.
        defer { try? FileManager.default.removeItem(at: folder) }
        try StoreContract(incrementalStore: { JSONRecords(folder) }).check(rule)
    }
}
