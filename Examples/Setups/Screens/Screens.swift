import Accounts
import DataMonk
import ExampleChecks
import Foundation

/// A main context for each screen: nothing is merged; a screen starts afresh when it hears of a commit.
@main
@MainActor
struct Screens {
    static func main() async throws {
        let stack = try Stack(Account.self, rootContext: .none)
        try stack.addDatabaseStore(fileURL: try Expect.emptyFolder().appending(path: "Accounts.sqlite"))
        let Updater = try Context(stack: stack)

        let rich = try Screen("rich", %"balance" >= 50, over: stack, observing: Updater)
        let poor = try Screen("poor", %"balance" < 50, over: stack, observing: Updater)

        try await Updater.update { update in
            for (owner, balance) in [("Farmer", 100), ("Knight", 20), ("Monk", 0)] {
                let account = try update.create(Account.self)
                account.owner = owner
                account.balance = balance
            }
            try update.commit()
        }
        await rich.next()
        await poor.next()
        try Expect.that(rich.owners == ["Farmer"] && poor.owners == ["Knight", "Monk"], "Both screens have loaded.")

        try await Updater.update { update in
            try update.fetch(Account.self, %"owner" == "Monk").balance = 60
            try update.commit()
        }
        await rich.next()
        await poor.next()
        try Expect.that(
            rich.owners == ["Farmer", "Monk"] && poor.owners == ["Knight"], "A change moved from one to the other.")
        try stack.close()
    }
}

/// What a view controller has: a context of its own, and the observer, which it keeps.
@MainActor
final class Screen {
    private let context: MainContext
    private let query: Query
    private let (reloads, reload) = AsyncStream.makeStream(of: Void.self)
    private var observer: CommitObserver?
    private(set) var owners: [String] = []

    init(_ name: String, _ query: Query, over stack: Stack, observing updater: Context) throws {
        context = try MainContext(stack: stack, updateTarget: .persistentStore)
        self.query = query
        observer = updater.observeCommit { [weak self] in self?.load() }
    }

    /// Waits until the screen has loaded once more.
    func next() async { for await _ in reloads { break } }

    private func load() {
        context.reset()
        do {
            owners = try context.fetchAll(Account.self, query, orderBy: .Ascending("owner")).map(\.owner)
        } catch {
            print("The screen cannot load: \(error)")
        }
        reload.yield()
    }
}
