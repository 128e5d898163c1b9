import DataMonk

/// Money that was moved, or that came into the bank. Saved together with the balances that it changes.
@Entity final class Transfer: ManagedObject {
    /// The name that the client gave it. Since it is unique, a request that is repeated moves nothing.
    @Attribute(.unique, .regularExpression("[\\w-]{1,100}")) var key: String = ""
    /// The owner who paid; `nil` for a deposit.
    var payer: String?
    var payee: String = ""
    @Attribute(.minimum(1)) var amount: Int = 0
}
