extension Leak {
    /// Objects that errors carry: `Error` asks for Sendable, and the compiler only warns.
    static let errors: [Leak] = [
        .program(
            "an error that is a struct", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: "nonisolated struct Refusal: Error { let person: Person }"),
        .program(
            "an error that is a class", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: """
                nonisolated final class Refusal: Error {
                    let person: Person
                    init(_ person: Person) { self.person = person }
                }
                """),
        .program(
            "an error that is an enum", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: "nonisolated enum Refusal: Error { case person(Person) }"),
        .program(
            "an error that is a struct with a closure", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: "nonisolated struct Refusal: Error { let ask: () -> Void }"),
        .program(
            "an error that is a generic struct", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: "nonisolated struct Refusal<T>: Error { let value: T }"),
        .program(
            "an error that is a struct with a class", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: """
                nonisolated class Counter { var count = 0 }
                nonisolated struct Refusal: Error { let counter: Counter }
                """),
        .program(
            "an error that carries an object out", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: "nonisolated struct Refusal: Error { let person: Person }",
            """
            do {
                try await World.update { throw Refusal(person: try $0.create(Person.self)) }
            } catch let refusal as Refusal {
                refusal.person.age = 1
            }
            """),
        .program(
            "a coding key", .warned(.swift, ["non_concurrent_type_member"]),
            declarations: """
                nonisolated struct Key: CodingKey {
                    let person: Person
                    let stringValue = ""
                    let intValue: Int? = nil
                    init?(stringValue: String) { nil }
                    init?(intValue: Int) { nil }
                }
                """),
        .program(
            "an object that is an error", .notSendable,
            declarations: "nonisolated final class Culprit: ManagedObject {}",
            extensions: "extension Here.Culprit: Error {} // refused",
            "try await World.update { throw try $0.create(Culprit.self) } // refused"),
        .program(
            "an NSError that carries an object out", .silent(.foundation, stoppedBy: .ownerCheck),
            """
            do {
                try await World.update { throw NSError(domain: "hero", code: 1, userInfo: ["hero": try $0.create(Person.self)]) }
            } catch {
                ((error as NSError).userInfo["hero"] as! Person).age = 1
            }
            """),
        .ofUpdate(
            "an NSError in a task", .silent(.foundation, stoppedBy: .ownerCheck),
            """
            let error: any Error = NSError(domain: "hero", code: 1, userInfo: ["hero": hero])
            Task.detached { ((error as NSError).userInfo["hero"] as! Person).age = 1 }
            """),
        .ofUpdate(
            "an URLError in a task", .silent(.foundation, stoppedBy: .ownerCheck),
            """
            let error = URLError(.badURL, userInfo: ["hero": hero])
            Task.detached { (error.userInfo["hero"] as! Person).age = 1 }
            """),
    ]
}
