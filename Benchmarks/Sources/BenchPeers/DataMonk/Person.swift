import BenchKit
import DataMonk
import Foundation

@Entity
final class Person: ManagedObject {
    var name: String = ""
    var age: Int = 0
    var location: String?
    var salary: Double = 0
    var created: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute(.indexed) var friendID: Int64?
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
