import Accounts
import DataMonk
import ExampleChecks
import Foundation

/// Two tiers without merge: the main context keeps what it shows until it is told to look again.
@main
@MainActor
struct ManualReload {
    static func main() async throws {
        let stack = try Stack(Account.self)
        try stack.addDatabaseStore(fileURL: try Expect.emptyFolder().appending(path: "Accounts.sqlite"))
        let World = try MainContext(stack: stack, updateTarget: .rootContext(autoMerge: false))

        try await World.update { update in
            let account = try update.create(Account.self)
            account.owner = "Monk"
            account.balance = 10
            try update.commit()
        }
        let monk = try World.fetch(Account.self, %"owner" == "Monk")
        try Expect.that(monk.balance == 10, "The first look shows the store.")

        try await World.update { update in
            try update.fetch(Account.self, %"owner" == "Monk").balance = 20
            try update.commit()
        }
        try Expect.that(monk.balance == 10, "A page that somebody reads does not change under their eyes.")

        try World.refreshAll()
        try Expect.that(monk.balance == 20, "The reload shows the commit.")

        World.reset()
        let balance = try World.fetch(Account.self, %"owner" == "Monk").balance
        try Expect.that(balance == 20, "After a reset everything is fetched anew.")
        try stack.close()
    }
}
