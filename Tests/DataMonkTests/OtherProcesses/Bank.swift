#if Macros
    import DataMonk
    import Foundation

    /// Accounts whose balances have a sum that no transfer changes.
    enum Bank {
        static let model = Result { try ManagedObjectModel(classes: [Account.self, Branch.self, Receipt.self]) }
        /// What each account begins with.
        static let deposit = 1_000

        @Entity("BankAccount") final class Account: ManagedObject {
            var number: Int = 0
            var balance: Int = 0
            var branch: Branch?
        }

        @Entity("BankBranch") final class Branch: ManagedObject {
            var name: String = ""
            var city: String = ""
            @Relationship(inverse: \Account.branch) var accounts: Set<Account>
        }

        /// The receipt of a transfer, saved with it.
        @Entity("BankReceipt") final class Receipt: ManagedObject {
            /// The process that made it, and the number of the transfer.
            var seat: Int = 0
            var number: Int = 0
            var source: Int = 0
            var destination: Int = 0
            var amount: Int = 0
        }

        /// - Parameter busyTimeout: long by default, since a busy machine may keep any transaction for seconds.
        static func openStack(
            at url: URL, busyTimeout: Duration = .seconds(60), trace: (@Sendable (String) -> Void)? = nil
        ) throws -> Stack {
            let stack = Stack(model: try model.get(), trace: trace)
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal, busyTimeout: busyTimeout)
            return stack
        }
    }

    extension Stack {
        /// Opens accounts, numbered from zero, at one branch.
        func openAccounts(_ count: Int) throws {
            try commit { update in
                let branch = try update.create(Bank.Branch.self)
                for number in 0..<count {
                    let account = try update.create(Bank.Account.self)
                    account.number = number
                    account.balance = Bank.deposit
                    account.branch = branch
                }
            }
        }

        /// Moves money between two accounts.
        func transfer(_ amount: Int, from source: Int, to destination: Int) throws {
            try commit { update in
                try update.fetch(Bank.Account.self, %"number" == source).balance -= amount
                try update.fetch(Bank.Account.self, %"number" == destination).balance += amount
            }
        }

        /// Commits on the calling thread.
        func commit(_ body: @Sendable (Update) throws -> Void) throws {
            try Context(stack: self, mergePolicy: .error).beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                try body(update)
                try update.commit()
            }
        }
    }
#endif
