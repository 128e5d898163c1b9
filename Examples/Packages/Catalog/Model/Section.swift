import DataMonk

/// What packages are for: `libs`, `admin`, `games`.
@Entity final class Section: ManagedObject {
    @Attribute(.unique) var name: String = ""
    var packages: Set<Package>
}
