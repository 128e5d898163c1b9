import Accounts
import DataMonk
import ExampleChecks
import Foundation
import JSONFolderStore

/// Accounts in a folder of JSON files: a store of one's own, under the same contexts as any other.
@main
@MainActor
struct CustomStore {
    static func main() async throws {
        let folder = try Expect.emptyFolder().appending(path: "Accounts")
        let first = try Stack(Account.self)
        try await first.addStore(.custom(JSONFolder(folder)))
        let World = try MainContext(stack: first)
        try await World.update { update in
            for number in 1...3 {
                let account = try update.create(Account.self)
                account.owner = "owner \(number)"
                account.balance = number * 100
            }
            try update.commit()
        }
        try first.close()

        let second = try Stack(Account.self)
        try await second.addStore(.custom(JSONFolder(folder)))
        let Again = try MainContext(stack: second)
        let rich = try Again.fetchAll(Account.self, %"balance" >= 200, orderBy: .ascending(\.owner))
        try Expect.that(rich.map(\.owner) == ["owner 2", "owner 3"], "What was committed is in the files.")
        let text = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        try Expect.that(text.contains { $0.hasSuffix("Account.json") }, "Each entity has a file.")
        try second.close()

        // A file that somebody has edited is checked before anybody sees it.
        for path in text where path.hasSuffix("Account.json") {
            let file = folder.appending(path: path)
            let edited = try String(contentsOf: file, encoding: .utf8)
                .replacingOccurrences(of: "owner\"", with: "ownr\"")
            try edited.write(to: file, atomically: true, encoding: .utf8)
        }
        let third = try Stack(Account.self)
        var refusal = ""
        do {
            try await third.addStore(.custom(JSONFolder(folder)))
        } catch let error as StoreError {
            refusal = error.message
        }
        try Expect.that(refusal.contains("Did you mean \"owner\"?"), "A name that is wrong is refused: \(refusal)")
    }
}
