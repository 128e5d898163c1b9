import DataMonkCore
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

@Suite struct `Atomic stores in files` {
    private static func newFile() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "DataMonk-\(UUID())/Store")
    }

    @Test(arguments: StoreContract.rules)
    func `the XML store keeps the contract`(rule: StoreContract.Rule) throws {
        let url = Self.newFile()
        // It may be gone already.
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        try StoreContract(atomicStore: { try XMLStore(url: url, files: SystemFileCalls()) }).check(rule)
    }

    @Test(arguments: StoreContract.rules)
    func `the binary store keeps the contract`(rule: StoreContract.Rule) throws {
        let url = Self.newFile()
        // It may be gone already.
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        try StoreContract(atomicStore: { try BinaryStore(url: url, files: SystemFileCalls()) }).check(rule)
    }
}
