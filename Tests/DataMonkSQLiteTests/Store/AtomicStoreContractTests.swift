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
        do {
            try StoreContract(atomicStore: { try XMLStore(url: url, files: SystemFileCalls()) }).check(rule)
        } catch let error as StoreError where error.code == .unsupportedRequest {
            // One of the values of that rule is a text that XML cannot represent.
            #expect(rule.description == "every value of aString is read as it was written", "\(error)")
            #expect(error.message.contains("U+0"))
        }
    }

    @Test(arguments: StoreContract.rules)
    func `the binary store keeps the contract`(rule: StoreContract.Rule) throws {
        let url = Self.newFile()
        // It may be gone already.
        defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
        try StoreContract(atomicStore: { try BinaryStore(url: url, files: SystemFileCalls()) }).check(rule)
    }
}
