import DataMonk

/// An account. Only the bank's updates and reads see it.
@Entity final class Account: ManagedObject {
    @Attribute(.unique, .regularExpression("[\\w .-]{1,100}")) var owner: String = ""
    @Attribute(.minimum(0)) var balance: Int = 0
}
