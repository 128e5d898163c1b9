/// **Value.** What leaves the bank about an account.
struct AccountInfo: Sendable, Codable, Equatable {
    let owner: String
    let balance: Int

    init(_ account: Account) {
        owner = account.owner
        balance = account.balance
    }
}
