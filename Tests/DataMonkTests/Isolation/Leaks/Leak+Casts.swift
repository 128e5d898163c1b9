import ApplicationCompiler

extension Leak {
    /// Objects that pass for something that they are not: Sendable, of the main actor.
    static let casts: [Leak] = [
        .ofUpdate(
            "a forced cast to any Sendable", .warned(.swift, ["forced_downcast_coercion"]),
            """
            let shared = hero as! any Sendable
            Task { (shared as! Person).age = 1 }
            """),
        .ofUpdate(
            "a forced cast to a Sendable object", .warned(.swift, ["forced_downcast_coercion"]),
            """
            let shared: any Sendable = (hero as AnyObject) as! (AnyObject & Sendable)
            Task { (shared as! Person).age = 1 }
            """),
        .ofUpdate(
            "a forced cast to a Sendable object in a generic function", .warned(.swift, ["forced_downcast_coercion"]),
            declarations: """
                nonisolated static func launder<T: AnyObject>(_ value: T) -> any Sendable { value as! AnyObject & Sendable }
                """,
            """
            let shared = launder(hero)
            Task.detached { (shared as! Person).age = 1 }
            """),
        .ofUpdate(
            "a forced cast to any Sendable in a generic function", .warned(.swift, ["forced_downcast_coercion"]),
            declarations: "nonisolated static func launder<T>(_ value: T) -> any Sendable { value as! any Sendable }",
            """
            let shared = launder(hero)
            Task.detached { (shared as! Person).age = 1 }
            """),
        .ofUpdate(
            "a conditional cast to any Sendable", .refused(.types, ["marker_protocol_cast"]),
            "_ = hero as? any Sendable // refused"),
        .ofUpdate(
            "a pattern that casts to any Sendable", .silent(.swift, stoppedBy: .ownerCheck),
            """
            switch hero {
                case let shared as any Sendable: Task.detached { (shared as! Person).age = 1 }
                default: break
            }
            """),
        .ofUpdate(
            "a conditional cast to any Error", .harmless,
            """
            let anything: Any = hero
            if let error = anything as? any Error { Task.detached { print(error) } }
            """),
        .ofUpdate(
            "the context behind an update, by reflection", .silent(.swift, stoppedBy: .ownerCheck),
            """
            let graph = Mirror(reflecting: update.context).descendant("graph") as! ManagedObjectContext
            Task.detached { try graph.save() }
            """),
        .ofUpdate(
            "an object's mirror in a task", .taskCapture,
            """
            let child = Mirror(reflecting: hero).children.first
            Task.detached { print(child as Any) } // refused
            """),
        .program(
            "a conformance to Sendable by extension", .notSendable,
            declarations: "nonisolated final class Culprit: ManagedObject {}",
            extensions: "extension Here.Culprit: @unchecked Sendable {}",
            "_ = try await World.update { try $0.create(Culprit.self) } // refused"),
        .program(
            "a class that declares itself Sendable", .notSendable,
            declarations: "nonisolated final class Culprit: ManagedObject, @unchecked Sendable {}",
            "_ = try await World.update { try $0.create(Culprit.self) } // refused"),
        .program(
            "a protocol that refines Sendable", .notSendable,
            declarations: """
                nonisolated protocol Aged: Sendable { var old: Int { get } }
                nonisolated final class Culprit: ManagedObject {
                    var old: Int { 3 }
                }
                """,
            extensions: "extension Here.Culprit: Here.Aged {} // refused"),
        .ofMain(
            "a conformance of the main actor", .taskCapture,
            declarations: "nonisolated protocol Showable { func appear() }",
            extensions: "extension Person: @MainActor Here.Showable { @MainActor func appear() { age += 1 } }",
            """
            let shown: any Showable = hero
            Task.detached { shown.appear() } // refused
            """),
        .ofUpdate(
            "a conformance of the main actor in an update", .refused(.types, ["isolated_conformance_wrong_domain"]),
            declarations: """
                nonisolated protocol Visible { func turnUp() }
                nonisolated static func show<T: Visible>(_ value: T) { value.turnUp() }
                """,
            extensions: "extension Person: @MainActor Here.Visible { @MainActor func turnUp() { age += 1 } }",
            "show(hero) // refused"),
        .program(
            "a conformance to a protocol of the main actor", .harmless,
            declarations: "@MainActor protocol Aged { var age: Int { get } }",
            extensions: "extension Person: Here.Aged {}"),
        .program(
            "a subclass of the main actor", .harmless, modes: [.nonisolated],
            declarations: "@MainActor class Culprit: ManagedObject {}"),
        .program(
            "an object of the main actor's class as a result", .notSendable, modes: [.nonisolated],
            declarations: "@MainActor final class Culprit: ManagedObject {}",
            "_ = try await World.update { try $0.create(Culprit.self) } // refused"),
        .program(
            "an object of the main actor's class in an update", .capture, modes: [.nonisolated],
            declarations: "@MainActor final class Culprit: ManagedObject {}",
            """
            let culprit = try World.fetch(Culprit.self)
            try await World.update { _ in print(culprit.isDeleted) } // refused
            """),
        .program(
            "an object of the main actor's class in a detached task", .taskCapture, modes: [.nonisolated],
            declarations: "@MainActor final class Culprit: ManagedObject {}",
            """
            let culprit = try World.fetch(Culprit.self)
            Task.detached { culprit.setProperty(3, at: 0) } // refused
            culprit.setProperty(4, at: 0)
            """),
        .program(
            "an isolated deinit", .refused(.types, ["isolated_deinit_no_isolation"]),
            declarations: """
                nonisolated final class Culprit: ManagedObject {
                    isolated deinit {} // refused
                }
                """),
    ]
}
