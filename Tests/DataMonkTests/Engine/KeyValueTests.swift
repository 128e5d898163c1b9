#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite struct `Access by key` {
        private let context: ManagedObjectContext
        private let monk: Office.Employee
        private let office: OfficeStack

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
            monk = try context.employee("Monk")
        }

        @Test func `values are read and written by name`() throws {
            try monk.setValue(18, forKey: "age")
            try monk.setValue("tall", forKey: "note")
            #expect(monk.age == 18 && monk.note == "tall")
            #expect(try monk.value(forKey: "age") == 18)
            try monk.setValue(nil, forKey: "note")
            #expect(monk.note == nil)
            #expect(try monk.value(forKey: "note") == .null)
        }

        @Test func `a to-one is written by id, with its inverse`() throws {
            let department = try context.department("kitchen")
            try monk.setValue(.object(department.anyObjectID), forKey: "department")
            #expect(department.employees == [monk])
            #expect(try monk.value(forKey: "department") == .object(department.anyObjectID))
            try monk.setValue(nil, forKey: "department")
            #expect(department.employees.isEmpty)
        }

        private func error(_ body: () throws -> Void) throws -> FetchError {
            let error = try #require(throws: FetchError.self) { try body() }
            #expect(error.entityName == "Employee")
            return error
        }

        @Test func `an unknown key is named, with the nearest right one`() throws {
            let error = try error { _ = try monk.value(forKey: "nam") }
            #expect(error.code == .unknownKey && error.keyPath == "nam" && error.message.contains("\"name\""))
            #expect(try self.error { try monk.setValue(1, forKey: "aeg") }.code == .unknownKey)
        }

        @Test func `a value of another type is refused and changes nothing`() throws {
            let cases: [(String, ManagedValue)] = [
                ("age", "18"), ("age", .double(1.5)), ("age", .double(.infinity)), ("age", .data(Data())), ("name", 1),
                ("name", .url(URL.fallback)), ("department", 1), ("department", "kitchen"), ("age", .list([1])),
                ("name", .date(Date())), ("note", .uuid(UUID())),
            ]
            for (key, value) in cases {
                let error = try error { try monk.setValue(value, forKey: key) }
                #expect(error.code == .typeMismatch && error.keyPath == key, "\(key) = \(value.kind)")
            }
            #expect(monk.age == 0 && monk.name == "Monk")
        }

        @Test func `a to-many has no single value`() throws {
            #expect(try error { _ = try monk.value(forKey: "friends") }.code == .typeMismatch)
            #expect(try error { try monk.setValue(nil, forKey: "friends") }.code == .typeMismatch)
        }

        @Test func `an object of another entity is refused`() throws {
            let other = try context.employee("Other")
            #expect(
                try error { try monk.setValue(.object(other.anyObjectID), forKey: "department") }.code == .typeMismatch)
            #expect(monk.department == nil)
        }

        @Test func `a number out of the attribute's range is refused`() throws {
            let model = try ManagedObjectModel {
                EntityDescription("Number") {
                    AttributeDescription("short", .integer16)
                    AttributeDescription("float", .float)
                    AttributeDescription("flag", .boolean)
                }
            }
            let stack = Stack(model: model)
            try stack.addInMemoryStore()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let number = try context.insert(#require(model.entitiesByName["Number"]))
            let error = try #require(throws: FetchError.self) { try number.setValue(40_000, forKey: "short") }
            #expect(error.code == .typeMismatch && error.message.contains("Number.short"))
            try number.setValue(.double(0.1), forKey: "float")
            #expect(try number.value(forKey: "float") == .double(Double(Float(0.1))))
        }
    }
#endif
