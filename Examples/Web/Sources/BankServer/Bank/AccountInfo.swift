/// **Value.** The part of an account that leaves the bank.
struct AccountInfo: Sendable, Codable, Equatable {
    let owner: String
    let balance: Int
}

extension AccountInfo {
    init(_ account: Account) { self.init(owner: account.owner, balance: account.balance) }
}
