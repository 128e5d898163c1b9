/// **Value.** The part of an account that leaves the bank.
struct AccountInfo: Sendable, Codable, Equatable {
    let owner: String
    let balance: Int

    init(_ account: Account) {
        owner = account.owner
        balance = account.balance
    }
}
