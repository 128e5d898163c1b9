#if Macros
    import DataMonk
    import Foundation

    @Entity final class Person: ManagedObject {
        var name: String = ""
        var age: Int = 0
        var location: String?
        @Relationship(inverse: \Person.friends) var friend: Person?
        var friends: Set<Person>
    }

    /// What is kept in memory only.
    @Entity final class Visit: ManagedObject {
        var page: String = ""
    }

    /// Answers on a thread of its own, when it likes.
    final class RemoteServer: Sendable {
        func findAge(_ name: String, location: String?, _ answer: @escaping (Int) -> Void) {
            // The manual's closures know no @Sendable; this one is called once, there.
            nonisolated(unsafe) let answer = answer
            DispatchQueue.global().async { answer(40 + name.count) }
        }
    }

    let remote_server = RemoteServer()
#endif
