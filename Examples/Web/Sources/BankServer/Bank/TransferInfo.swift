/// **Value.** A transfer, as it is asked for and as it was made. Without a payer it is a deposit.
struct TransferInfo: Sendable, Codable, Equatable {
    let key: String
    var payer: String?
    let payee: String
    let amount: Int
}

extension TransferInfo {
    init(_ transfer: Transfer) {
        self.init(key: transfer.key, payer: transfer.payer, payee: transfer.payee, amount: transfer.amount)
    }
}
