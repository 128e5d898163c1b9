public import DataMonk

/// What has the accounts.
@Entity public final class Bank: ManagedObject {
    /// All of them.
    @Relationship(inverse: \Account.bank) public var accounts: Set<Account>
}

/// What money is moved between.
@Entity public final class Account: ManagedObject {
    /// Which one it is.
    public var number: Int = 0
    /// How much is in it.
    public var balance: Int = 0
    /// How many transfers it took part in.
    public var transfers: Int = 0
    /// Where it is.
    public var bank: Bank?
}

/// What transactions append numbers to.
@Entity public final class Register: ManagedObject {
    /// Its name.
    public var name: String = ""
    /// The part of the run that it belongs to.
    public var round: Int = 0
    /// The numbers, in order, separated by spaces.
    public var text: String = ""

    /// The numbers.
    public var values: [Int] { text.split(separator: " ").compactMap { Int($0) } }
}
