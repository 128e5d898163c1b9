import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// A row that no object can be made of does not hide the others, and is not passed over where that would do harm.
@Suite struct `A damaged row` {
    private let folder: TemporaryFolder
    private let reported = Locked<[any Error]>([])
    private var url: URL { folder.file("Office.sqlite") }

    /// Employees 1 to 3, the first of whom leads the second; all of one department. Entity 1 is Department, 2 Employee,
    /// 3 Manager.
    init() throws {
        folder = try TemporaryFolder()
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let department = try context.insert(try #require(stack.model.entitiesByName["Department"]))
        for number in 1...3 {
            let employee = try context.insert(
                try #require(stack.model.entitiesByName[number == 1 ? "Manager" : "Employee"]))
            try employee.setValue(.int(Int64(number)), forKey: "age")
            try employee.setValue(.object(department.anyObjectID), forKey: "department")
            try context.save()
        }
        try stack.close()
    }

    private func openStack() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Department") {
                    RelationshipDescription(
                        "employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .cascade)
                }
                EntityDescription("Employee") {
                    AttributeDescription("age", .integer32)
                    AttributeDescription("height", .double)
                    RelationshipDescription("department", to: "Department")
                    RelationshipDescription("boss", to: "Employee")
                }
                EntityDescription("Manager", superentityName: "Employee", properties: [])
                EntityDescription("Salary") { AttributeDescription("amount", .decimal) }
            })
        stack.onError { [reported] error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        return stack
    }

    private func damage(_ assignment: String) throws {
        _ = try StoreCopy.rows(url, "UPDATE ZEMPLOYEE SET \(assignment) WHERE Z_PK = 2")
    }

    private func id(_ entity: String, _ key: Int, _ stack: Stack) throws -> AnyObjectID {
        let store = stack.coordinator.stores[0].identifier.uuidString
        let uri = try #require(URL(string: "x-coredata://\(store)/\(entity)/p\(key)"))
        return try #require(stack.objectID(forURI: uri))
    }

    private static let damages = [
        "Z_ENT = 99", "Z_ENT = NULL", "ZBOSS = 1, Z2_BOSS = NULL", "ZBOSS = 1, Z2_BOSS = 77", "ZBOSS = -4, Z2_BOSS = 2",
        "ZAGE = 'old'", "ZAGE = x'00'", "ZHEIGHT = 'tall'", "ZBOSS = 'the first', Z2_BOSS = 2",
    ]

    @Test(arguments: damages) func `does not hide the others from a fetch, and is reported`(damage: String) throws {
        try self.damage(damage)
        let context = ManagedObjectContext(coordinator: try openStack().coordinator)
        let found = try context.fetch(FetchRequest(entityName: "Employee"))
        #expect(Set(try found.map { try $0.value(forKey: "age") }) == [1, 3])
        let errors = reported.withLock { $0 }
        let error = try #require(errors.first as? StoreError)
        #expect(errors.count == 1 && error.code == .corrupt && error.entityName == "Employee")
        #expect(error.objectURI?.hasSuffix("/Employee/p2") == true)
        // SQL counts rows, whatever is in them.
        #expect(try context.count(FetchRequest(entityName: "Employee")) == 3)
    }

    @Test(arguments: damages) func `is an error for whoever asks for it`(damage: String) throws {
        try self.damage(damage)
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let id = try id("Employee", 2, stack)
        let error = try #require(throws: StoreError.self) { try context.existingObject(with: id) }
        #expect(error.code == .corrupt && error.objectURI?.hasSuffix("/Employee/p2") == true)
        #expect(try context.existingObject(with: self.id("Employee", 3, stack)).value(forKey: "age") == 3)
        #expect(try context.existingObject(with: self.id("Manager", 1, stack)).value(forKey: "age") == 1)
    }

    @Test(arguments: damages) func `is not missed by a delete rule`(damage: String) throws {
        try self.damage(damage)
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        context.delete(try context.existingObject(with: id("Department", 1, stack)))
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        #expect(try StoreCopy.rows(url, "SELECT count(*) FROM ZEMPLOYEE") == [["3"]])
        #expect(try StoreCopy.rows(url, "SELECT count(*) FROM ZDEPARTMENT") == [["1"]])
    }

    @Test func `does not spoil what is read along with it`() throws {
        try damage("ZAGE = 'old'")
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var request = FetchRequest(entityName: "Employee")
        request.includesPropertyValues = false
        let objects = try context.fetch(request)
        #expect(objects.count == 3 && objects.allSatisfy(\.isFault))
        let others = objects.filter { !$0.anyObjectID.uri.path.hasSuffix("p2") }
        #expect(try Set(others.map { try $0.value(forKey: "age") }) == [1, 3])
        let damaged = try #require(objects.first { $0.anyObjectID.uri.path.hasSuffix("p2") })
        #expect(throws: StoreError.self) { try damaged.value(forKey: "age") }
    }

    @Test func `may hold a decimal that is none`() throws {
        _ = try StoreCopy.rows(
            url, "INSERT INTO ZSALARY(Z_PK, Z_ENT, ZAMOUNT) VALUES(1, 4, 'much'), (2, 4, 7.5), (3, 4, 0)")
        let context = ManagedObjectContext(coordinator: try openStack().coordinator)
        #expect(try context.fetch(FetchRequest(entityName: "Salary")).count == 2)
        #expect(reported.withLock { $0.count } == 1)
    }

    @Test func `with 5,000 others is one error`() throws {
        _ = try StoreCopy.rows(
            url,
            """
            WITH RECURSIVE n(k) AS (SELECT 10 UNION ALL SELECT k + 1 FROM n WHERE k < 5009)
            INSERT INTO ZEMPLOYEE(Z_PK, Z_ENT, Z_OPT, ZAGE) SELECT k, 2, 1, 'old' FROM n
            """)
        let context = ManagedObjectContext(coordinator: try openStack().coordinator)
        #expect(try context.fetch(FetchRequest(entityName: "Employee")).count == 3)
        let errors = reported.withLock { $0 }
        #expect(errors.count == 1 && (errors.first as? StoreError)?.message.contains("4999 more") == true)
    }
}
