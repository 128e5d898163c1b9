import Accounts
import DataMonk
import ExampleChecks
import Foundation

/// Three tiers, the default: what an update has committed, the next call on the main context shows.
@main
@MainActor
struct ThreeTiers {
    static func main() async throws {
        let stack = try Stack(Account.self)
        try stack.addDatabaseStore(fileURL: try Expect.emptyFolder().appending(path: "Accounts.sqlite"))
        let World = try MainContext(stack: stack)

        try await World.update { update in
            for (owner, balance) in [("Farmer", 100), ("Knight", 20), ("Monk", 0)] {
                let account = try update.create(Account.self)
                account.owner = owner
                account.balance = balance
            }
            try update.commit()
        }
        let knight = try World.fetch(Account.self, %"owner" == "Knight")
        try Expect.that(knight.balance == 20, "A fetch on main shows what was committed.")

        // Two updates at once, each off the main actor; main goes on.
        async let interest: Void = World.update { update in
            for account in try update.fetchAll(Account.self, %"balance" > 0) { account.balance += account.balance / 10 }
            try update.commit()
        }
        async let newcomer: Void = World.update { update in
            try update.create(Account.self).owner = "Warrior"
            try update.commit()
        }
        _ = try await (interest, newcomer)
        try Expect.that(try World.count(Account.self) == 4, "Both updates are there.")
        try Expect.that(knight.balance == 22, "The object that main held all the time shows the new balance.")

        // What is not committed is nobody's.
        try await World.update { update in
            try update.fetch(Account.self, %"owner" == "Knight").balance = 1_000_000
            update.rollback()
        }
        try Expect.that(knight.balance == 22, "What was rolled back has never been.")
        try stack.close()
    }
}
