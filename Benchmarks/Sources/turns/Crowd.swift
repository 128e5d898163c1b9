import DataMonk
import Foundation

/// **Confined.** Written as `@Entity` would expand it, which spares this package the build of swift-syntax.
final class Person: ManagedObject {
    var name: String {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var age: Int {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var place: Int {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Person", class: Person.self, validatesValues: false,
            properties: [
                .property("name", String.self, default: ""), .property("age", Int.self, default: 0),
                .property("place", Int.self, default: 0),
            ])
    }
}

/// **Shared.** A stack over a file of people.
struct Crowd: Sendable {
    let stack: Stack
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("turns-\(UUID().uuidString)")
        stack = try Stack(Person.self)
        stack.deadline = .seconds(600)
        try stack.addDatabaseStore(fileURL: folder.appendingPathComponent("crowd.sqlite"), synchronous: .normal)
    }

    /// Closes the store and removes its file.
    func remove() throws {
        try stack.close()
        try FileManager.default.removeItem(at: folder)
    }

    func newContext() -> ManagedObjectContext { ManagedObjectContext(coordinator: stack.coordinator) }

    /// Stores `count` people in one commit.
    func fill(_ count: Int) throws {
        let context = newContext()
        for number in 0..<count {
            let person = try context.insert(Person.self)
            person.name = "person \(number)"
            person.place = Int.random(in: 0..<1 << 40)
        }
        try context.save()
    }

    /// Gives everybody another age in one commit.
    func age(to age: Int) throws {
        let context = newContext()
        for person in try context.fetch(Self.everybody) { (person as? Person)?.age = age }
        try context.save()
    }

    /// Deletes everybody in one commit.
    func delete() throws {
        let context = newContext()
        for person in try context.fetch(Self.everybody) { context.delete(person) }
        try context.save()
    }

    static var everybody: FetchRequest { FetchRequest(entityName: "Person") }
}
