import DataMonk

final class Person: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var age: Int {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var location: String? {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    var friend: Person? {
        get { property(at: 3) }
        set { setProperty(newValue, at: 3) }
    }
    var friends: Set<Person> {
        get { property(at: 4) }
        set { setProperty(newValue, at: 4) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Person", class: Person.self,
            properties: [
                .property("name", String.self, default: ""), .property("age", Int.self, default: 0),
                .property("location", String?.self), .property("friend", Person?.self, inverse: "friends"),
                .property("friends", Set<Person>.self),
            ])
    }
    override nonisolated class var keyNames: [AnyKeyPath: String] {
        [
            \Person.name: "name", \Person.age: "age", \Person.location: "location", \Person.friend: "friend",
            \Person.friends: "friends",
        ]
    }
}
