#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Entity final class Guest: ManagedObject {
        @Attribute(.minimum(1), .maximum(40)) var name: String = ""
        @Attribute(.regularExpression("[^@]+@[^@]+")) var email: String?
        @Attribute(.minimum(1), .maximum(6)) var beds: Int = 1
        var arrival: Date = Date(timeIntervalSinceReferenceDate: 0)
        var departure: Date?
        var createdAt: Date?
        var changeCount: Int = 0

        override func awakeFromInsert() {
            createdAt = Date()
        }

        override func validateForInsert() throws {
            try super.validateForInsert()
            try validateStay()
        }

        override func validateForUpdate() throws {
            try super.validateForUpdate()
            try validateStay()
        }

        private func validateStay() throws {
            if let departure, departure < arrival { throw StayError.endsBeforeItBegins }
        }

        override func validateValue(_ value: inout ManagedValue, forKey key: String) throws {
            if key == "email", case .string(let text) = value { value = .string(text.lowercased()) }
            try super.validateValue(&value, forKey: key)
        }

        override func willSave() {
            if !isDeleted, changedValues()["beds"] != nil, changedValues()["changeCount"] == nil { changeCount += 1 }
        }
    }

    enum StayError: Error {
        case endsBeforeItBegins
    }

    @Suite struct ValidationTests {
        @Test func `every problem is told at once`() async throws {
            try await Context(stack: .inMemory(Guest.self)).update { update in
                let guest = try update.create(Guest.self)
                guest.email = "bede"
                guest.beds = 7
                let error = #expect(throws: SaveError.self) { try update.commit() }
                #expect(error?.code == .multipleValidationErrors)

                for problem in error?.validationProblems ?? [] {
                    print(problem.objectID, problem.key ?? "", problem.code, problem.message)
                }
                #expect(Set(error?.validationProblems.compactMap(\.key) ?? []) == ["name", "email", "beds"])
                #expect(error?.validationProblems.contains { $0.message.contains("of 6") } == true)
                update.rollback()
            }
        }

        @Test func `code of the class is asked, and may change values`() async throws {
            let objects = try TestObjects(Guest.self)
            let guest = try objects.create(Guest.self) {
                $0.name = "Bede"
                $0.email = "Bede@Jarrow.example"
                $0.departure = Date(timeIntervalSinceReferenceDate: -1)
            }
            #expect(guest.createdAt != nil)
            #expect(throws: StayError.self) { try objects.managedObjectContext.save() }
            guest.departure = nil
            try objects.managedObjectContext.save()
            #expect(guest.email == "bede@jarrow.example")
            let count = guest.changeCount
            guest.beds = 2
            try objects.managedObjectContext.save()
            #expect(guest.changeCount == count + 1)
        }
    }
#endif
