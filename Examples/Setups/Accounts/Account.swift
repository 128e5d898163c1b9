public import DataMonk

/// The model of the set-ups: one entity.
@Entity public final class Account: ManagedObject {
    /// Whose it is.
    public var owner: String = ""
    /// How much is in it.
    public var balance: Int = 0
}
