import DataMonk

/// A version of a package. A list may name several; one of them counts.
@Entity final class Version: ManagedObject {
    var number: String = ""
    /// Whether it is the installed one or, in an archive's list, the latest.
    var isCurrent: Bool = false
    var package: Package?
}
