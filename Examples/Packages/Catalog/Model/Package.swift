import DataMonk

/// A package of the list, or a name that packages of the list mention.
@Entity final class Package: ManagedObject {
    /// Name and architecture: `libc6:amd64`. What ranges of packages are fetched by.
    @Attribute(.unique) var key: String = ""
    @Attribute(.indexed) var name: String = ""
    var architecture: String = ""
    var state: PackageState = .unknown
    /// In KiB.
    var installedSize: Int = 0
    var summary: String = ""

    @Relationship(inverse: \Section.packages) var section: Section?
    @Relationship(inverse: \Maintainer.packages) var maintainer: Maintainer?
    @Relationship(deleteRule: .cascade, inverse: \Version.package) var versions: Set<Version>

    /// What it needs, and what needs it: one relationship, seen from its two ends.
    @Relationship(inverse: \Package.dependents) var dependencies: Set<Package>
    var dependents: Set<Package>

    /// The names it stands for, and the packages that stand for its name.
    @Relationship(inverse: \Package.providers) var provides: Set<Package>
    var providers: Set<Package>
}
