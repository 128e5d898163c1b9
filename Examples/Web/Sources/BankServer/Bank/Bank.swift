import DataMonk

/// **Shared.** Everything that requests can ask for. It knows neither which store it has, nor how many other processes have it
/// too: each update sees what all of them have committed, and a conflict with one of them runs it again.
struct Bank: Sendable {
    private let context: Context
    private static let deadline = Duration.seconds(60)

    init(stack: Stack) throws { context = try Context(stack: stack) }

    // MARK: Changing

    /// Opens an account, or returns the one that the owner has.
    func open(_ owner: String) async throws -> AccountInfo {
        try await context.update(retrying: 100, deadline: Self.deadline) { update in
            let account = try update.fetchOrCreate(Account.self, %"owner" == owner)
            if update.hasChanges { try update.commit() }
            return AccountInfo(account)
        }
    }

    /// Moves money, or takes a deposit, once for each key.
    ///
    /// If it was made before, nothing is changed: the first request may have been answered by another instance, or by nobody.
    /// Two requests with one key at the same time both find nothing, and the later one of them meets a conflict, for the key
    /// is unique. It runs again, and finds the transfer.
    ///
    /// - Returns: A Boolean value indicating whether this call has made it.
    func make(_ order: TransferInfo) async throws -> Bool {
        guard order.amount > 0 else { throw Refusal.amountIsNotPositive }
        return try await context.update(retrying: 100, deadline: Self.deadline) { update in
            if let earlier = try update.first(Transfer.self, %"key" == order.key) {
                guard TransferInfo(earlier) == order else { throw Refusal.keyIsTaken }
                return false
            }
            if let payer = order.payer { try Self.withdraw(order.amount, from: payer, update) }
            try Self.pay(order.amount, to: order.payee, update)
            let transfer = try update.create(Transfer.self)
            (transfer.key, transfer.payer) = (order.key, order.payer)
            (transfer.payee, transfer.amount) = (order.payee, order.amount)
            try update.commit()
            return true
        }
    }

    /// Decides about a balance that was read: if another commit changes it meanwhile, that is a conflict.
    private static func withdraw(_ amount: Int, from owner: String, _ update: Update) throws {
        let account = try Self.account(of: owner, update)
        guard account.balance >= amount else { throw Refusal.notEnough(balance: account.balance) }
        account.balance -= amount
    }

    /// Adds to whatever balance there is at the commit, so that two payments to one account are no conflict.
    private static func pay(_ amount: Int, to owner: String, _ update: Update) throws {
        do {
            try update.increment(\.balance, by: amount, of: account(of: owner, update))
        } catch let error as FetchError where error.code == .numberOutOfRange {
            throw Refusal.amountIsTooLarge
        }
    }

    private static func account(of owner: String, _ reader: Reader) throws -> Account {
        guard let account = try reader.first(Account.self, %"owner" == owner) else {
            throw Refusal.noAccount(owner: owner)
        }
        return account
    }

    // MARK: Looking

    func account(of owner: String) async throws -> AccountInfo {
        try await context.read(deadline: Self.deadline) { AccountInfo(try Self.account(of: owner, $0)) }
    }

    func transfer(_ key: String) async throws -> TransferInfo {
        try await context.read(deadline: Self.deadline) { reader in
            guard let transfer = try reader.first(Transfer.self, %"key" == key) else { throw Refusal.noTransfer }
            return TransferInfo(transfer)
        }
    }

    func richest(_ count: Int) async throws -> [AccountInfo] {
        try await context.read(deadline: Self.deadline) { reader in
            try reader.fetchAll(
                Account.self, orderBy: .descending(\.balance) | .ascending(\.owner), options: .Limit(count)
            ).map { AccountInfo($0) }
        }
    }

    func total() async throws -> Total {
        try await context.read(deadline: Self.deadline) { reader in
            Total(
                accounts: try reader.count(Account.self),
                balance: try reader.queryValue(Account.self, .Sum("balance"), as: Int.self) ?? 0)
        }
    }
}
