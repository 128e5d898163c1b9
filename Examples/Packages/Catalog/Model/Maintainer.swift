import DataMonk

/// Who looks after packages: `Ian Jackson <ian@chiark.example>`.
@Entity final class Maintainer: ManagedObject {
    @Attribute(.unique) var name: String = ""
    var packages: Set<Package>
}
