import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// Fetched properties whose condition has values of other objects, which are read for it.
@Suite struct `A fetched property with values on a path` {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Person") {
                AttributeDescription("location", .string)
                RelationshipDescription("department", to: "Department")
                FetchedPropertyDescription(
                    "neighbours",
                    fetchRequest: FetchRequestTemplate(
                        "", entityName: "Person",
                        predicateFormat: "location == $FETCH_SOURCE.department.location AND self != $FETCH_SOURCE"))
            }
            EntityDescription("Department") { AttributeDescription("location", .string) }
        }
    }

    private let folder: TemporaryFolder
    private let url: URL
    private let stack: Stack
    /// Runs once, before the next statement that reads departments.
    private let disturbance = Disturbance()

    /// Writes two persons, of whom the first is in a department, all at one place, and opens the store anew.
    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("office.sqlite")
        let first = Stack(model: try Self.model.get())
        try first.addDatabaseStore(fileURL: url)
        let writer = ManagedObjectContext(coordinator: first.coordinator)
        let department = try writer.insert(writer.entity(named: "Department"))
        let persons = try (0..<2).map { _ in try writer.insert(writer.entity(named: "Person")) }
        for object in persons + [department] { try object.setValue("A", forKey: "location") }
        try persons[0].setValue(.object(department.anyObjectID), forKey: "department")
        try writer.save()
        try first.close()
        stack = Stack(model: try Self.model.get()) { [disturbance] sql in
            if sql.contains("FROM ZDEPARTMENT") { disturbance.happen() }
        }
        try stack.addDatabaseStore(fileURL: url)
    }

    /// The person with a department, and the other one.
    private func persons(in context: ManagedObjectContext) throws -> (ManagedObject, ManagedObject) {
        let persons = try context.fetch(FetchRequest(entityName: "Person"))
        let member = try #require(persons.first { (try? $0.value(forKey: "department")) != .null })
        return (member, try #require(persons.first { $0 !== member }))
    }

    @Test func `finds objects of the state in which the values are read`() throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let (member, other) = try persons(in: context)
        disturbance.prepare { [stack] in
            let writer = ManagedObjectContext(coordinator: stack.coordinator)
            for name in ["Department", "Person"] {
                for object in try writer.fetch(FetchRequest(entityName: name)) {
                    try object.setValue("B", forKey: "location")
                }
            }
            try writer.save()
        }
        #expect(try member.objects(forKey: "neighbours") == [other])
        #expect(!disturbance.isPending)
        #expect(try member.objects(forKey: "neighbours") == [other])
        #expect(try other.value(forKey: "location") == "B")
    }

    @Test func `throws if a value cannot be read, and notes nothing`() throws {
        stack.onError { _ in }
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let (member, _) = try persons(in: context)
        let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
        try connection.execute("ALTER TABLE ZDEPARTMENT RENAME TO ZGONE")
        #expect(throws: StoreError.self) { try member.objects(forKey: "neighbours") }
        #expect(context.failedAccesses.isEmpty)
        try connection.execute("ALTER TABLE ZGONE RENAME TO ZDEPARTMENT")
        try connection.close()
        try member.setValue("B", forKey: "location")
        try context.save()
    }
}
