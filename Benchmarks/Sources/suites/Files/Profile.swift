import BenchKit
import DataMonk

/// **Confined.** The customer of `short_selects`, which has more columns; three of them are loaded when they are read.
final class Profile: ManagedObject {
    var id: Int {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var name: String? {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var details: String? {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    var q: Int? {
        get { property(at: 3) }
        set { setProperty(newValue, at: 3) }
    }
    var p: Int? {
        get { property(at: 4) }
        set { setProperty(newValue, at: 4) }
    }
    var x: Int? {
        get { property(at: 5) }
        set { setProperty(newValue, at: 5) }
    }
    var y: Int? {
        get { property(at: 6) }
        set { setProperty(newValue, at: 6) }
    }
    var z: Int? {
        get { property(at: 7) }
        set { setProperty(newValue, at: 7) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Profile", class: Profile.self, validatesValues: false,
            properties: [
                .property("id", Int.self, default: 0, options: [.unique]), .property("name", String?.self),
                .property("details", String?.self), .property("q", Int?.self), .property("p", Int?.self),
                .property("x", Int?.self), .property("y", Int?.self), .property("z", Int?.self),
            ])
    }
    override nonisolated class var keyNames: [AnyKeyPath: String] {
        [\Profile.id: "id", \Profile.name: "name", \Profile.details: "details"]
    }
}

extension Profile {
    func take(_ input: ProfileInput) {
        id = input.id
        name = input.text
        details = input.text
        q = input.id * 10
        p = input.id * 20
        x = input.id * 30
        y = input.id * 40
    }

    /// The columns that a query reads at once.
    func add(to digest: inout Digest) {
        digest.row()
        digest.add(id)
        digest.add(name)
        digest.add(details)
        digest.add(q.map(Int64.init))
        digest.add(p.map(Int64.init))
    }
}
