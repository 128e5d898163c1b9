import DataMonk

/// The whole model: one entity.
@Entity final class Person: ManagedObject {
    var name: String = ""
    var age: Int = 0
    var location: String?
    @Relationship(inverse: \Person.friends) var friend: Person?
    var friends: Set<Person>
}

extension Person {
    /// The person in a few words.
    var summary: String {
        let place = location.map { " in \($0)" } ?? ""
        let friend = friend.map { ", a friend of \($0.name)" } ?? ""
        return "\(name), \(age)\(place)\(friend)"
    }
}
