import DataMonk

/// **Shared.** Everything that requests can ask for. A context is Sendable, and each call has a workspace of its own: there is
/// nothing to lock.
struct Bank: Sendable {
    private let context: Context

    init(stack: Stack) throws { context = try Context(stack: stack) }

    /// Opens an account, or returns the one that the owner has. Two requests at once open one: the attribute is unique, and
    /// the one that meets the conflict runs again.
    func open(_ owner: String) async throws -> AccountInfo {
        try await context.update(retrying: 10, deadline: .seconds(300)) { update in
            let account = try update.fetchOrCreate(Account.self, %"owner" == owner)
            if update.hasChanges { try update.commit() }
            return AccountInfo(account)
        }
    }

    /// Adds to what the store holds at the commit, so that no deposit is lost.
    func deposit(_ amount: Int, to owner: String) async throws -> AccountInfo {
        try await context.update(deadline: .seconds(300)) { update in
            let account = try update.fetch(Account.self, %"owner" == owner)
            try update.increment(\.balance, by: amount, of: account)
            try update.commit()
            return AccountInfo(account)
        }
    }

    /// Moves money, if there is enough: a decision about values that were read, so it runs again if they change meanwhile.
    func transfer(_ amount: Int, from payer: String, to payee: String) async throws -> AccountInfo {
        try await context.update(retrying: 100, deadline: .seconds(300)) { update in
            let (from, to) = (
                try update.fetch(Account.self, %"owner" == payer), try update.fetch(Account.self, %"owner" == payee)
            )
            guard from.balance >= amount else { throw Refusal.notEnough(from.balance) }
            from.balance -= amount
            to.balance += amount
            try update.commit()
            return AccountInfo(from)
        }
    }

    func richest(_ count: Int) async throws -> [AccountInfo] {
        try await context.read(deadline: .seconds(300)) { reader in
            try reader.fetchAll(
                Account.self, orderBy: .descending(\.balance) | .ascending(\.owner), options: .Limit(count)
            ).map(AccountInfo.init)
        }
    }

    func total() async throws -> Int {
        try await context.read { try $0.queryValue(Account.self, .Sum("balance"), as: Int.self) ?? 0 }
    }

    func accountCount() async throws -> Int {
        try await context.read { try $0.count(Account.self) }
    }
}

/// **Value.** A request that the bank understands and does not grant.
enum Refusal: Error, Equatable {
    case notEnough(Int)
}
