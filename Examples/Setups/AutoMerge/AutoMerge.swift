import Accounts
import DataMonk
import ExampleChecks
import Foundation

/// Two tiers with automatic merge: the main context takes over, on its own turn, what happened to the objects that it has.
@main
@MainActor
struct AutoMerge {
    static func main() async throws {
        let stack = try Stack(Account.self)
        try stack.addDatabaseStore(fileURL: try Expect.emptyFolder().appending(path: "Accounts.sqlite"))
        let World = try MainContext(stack: stack, updateTarget: .rootContext(autoMerge: true))

        // A thousand accounts, of which the screen shows ten.
        try await World.update { update in
            for number in 0..<1_000 {
                let account = try update.create(Account.self)
                account.owner = "owner \(number)"
                account.balance = number
            }
            try update.commit()
        }
        let shown = try World.fetchAll(Account.self, orderBy: .Descending("balance"), options: .Limit(10))
        let richest = shown[0]

        var merged: Set<String> = []
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        let observation = World.observeChanges { changes in
            merged.formUnion(changes.updated.compactMap { ($0 as? Account)?.owner })
            turn.yield()
        }
        try await World.update { update in
            for account in try update.fetchAll(Account.self) { account.balance += 1 }
            try update.commit()
        }
        for await _ in turns where merged.count == shown.count { break }
        try Expect.that(merged == Set(shown.map(\.owner)), "Of a thousand changes, the ten that are shown were merged.")
        try Expect.that(richest.balance == 1_000, "The object shows its new value without a fetch.")
        observation.cancel()
        try stack.close()
    }
}
