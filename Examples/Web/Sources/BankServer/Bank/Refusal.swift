/// **Value.** The reason why the bank does not do what it was asked for.
enum Refusal: Error, Equatable {
    case noAccount(owner: String)
    case noTransfer
    case notEnough(balance: Int)
    /// Another transfer has the key.
    case keyIsTaken
    case amountIsNotPositive
    case amountIsTooLarge
}
