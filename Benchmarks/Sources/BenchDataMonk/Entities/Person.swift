import BenchKit
import DataMonk
import Foundation

/// **Confined.** A person. Written as `@Entity` would expand it, which spares this package the build of swift-syntax:
///
///     @Entity final class Person: ManagedObject {
///         var name: String = ""
///         var age: Int = 0
///         var location: String?
///         var salary: Double = 0
///         var created: Date = Date(timeIntervalSinceReferenceDate: 0)
///         @Attribute(.indexed) var friendID: Int64?
///     }
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
    var salary: Double {
        get { property(at: 3) }
        set { setProperty(newValue, at: 3) }
    }
    var created: Date {
        get { property(at: 4) }
        set { setProperty(newValue, at: 4) }
    }
    var friendID: Int64? {
        get { property(at: 5) }
        set { setProperty(newValue, at: 5) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Person", class: Person.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""), .property("age", Int.self, default: 0),
                .property("location", String?.self), .property("salary", Double.self, default: 0),
                .property("created", Date.self, default: Date(timeIntervalSinceReferenceDate: 0)),
                .property("friendID", Int64?.self, options: [.indexed]),
            ])
    }
}

extension Person {
    func take(_ input: PersonInput) {
        name = input.name
        age = input.age
        location = input.location
        salary = input.salary
        created = Date(timeIntervalSince1970: input.created)
        friendID = input.friendID
    }

    func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
        digest.add(age)
        digest.add(location)
        digest.add(salary)
        digest.add(created.timeIntervalSince1970)
        digest.add(friendID)
    }
}
