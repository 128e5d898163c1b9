import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Relationships whose `className` names a sub-entity of their destination, while their objects are of another one.
@Suite struct `Relationships that make objects of a sub-entity` {
    private func stack(companyNotes: [String: String] = [:]) throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Party", isAbstract: true) {
                    AttributeDescription("name", .string)
                    RelationshipDescription("locker", to: "Locker", inverse: "guardian")
                }
                EntityDescription("Person", superentityName: "Party") { AttributeDescription("born", .date) }
                EntityDescription("Company", superentityName: "Party", userInfo: companyNotes) {
                    AttributeDescription("register", .string)
                    RelationshipDescription("staff", to: "Employee", inverse: "company", isToMany: true)
                }
                EntityDescription("Employee", userInfo: ["relatedByAttribute": "code"]) {
                    AttributeDescription("code", .string)
                    RelationshipDescription("company", to: "Company", inverse: "staff")
                }
                EntityDescription("Locker", userInfo: ["relatedByAttribute": "number"]) {
                    AttributeDescription("number", .integer64)
                    RelationshipDescription(
                        "guardian", to: "Party", inverse: "locker", userInfo: ["className": "Company"])
                }
            })
        try stack.addInMemoryStore()
        return stack
    }

    /// Makes a locker with a guardian.
    private func addLocker(_ number: Int64, guardedBy entityName: String, _ stack: Stack) async throws {
        try await Context(stack: stack).update { update in
            let locker = try update.create(entityName: "Locker")
            try locker.setValue(.int(number), forKey: "number")
            let party = try update.create(entityName: entityName)
            try party.setValue("Ben", forKey: "name")
            if entityName == "Company" { try party.setValue("CH-7", forKey: "register") }
            try locker.setValue(.object(party.anyObjectID), forKey: "guardian")
            try update.commit()
        }
    }

    private func parties(_ stack: Stack) async throws -> [String] {
        try await Context(stack: stack).read { reader in
            try reader.fetchAll(entityName: "Party").map { party in
                guard case .string(let name) = try party.value(forKey: "name") else { return "-" }
                let isGuard = try !party.value(forKey: "locker").isNull
                return "\(party.entity.name) \(name)\(isGuard ? " guards" : "")"
            }.sorted()
        }
    }

    @Test(
        arguments: [
            #"{"number":1,"guardian":{"name":"NewCo","staff":["code 4","code 5"]}}"#,
            #"{"number":1,"guardian":{"name":"NewCo"}}"#,
        ])
    func `leave an object of another entity as it is, and make one of their own`(row: String) async throws {
        let stack = try stack()
        try await addLocker(1, guardedBy: "Person", stack)
        for line in ["0 1 0 0 0", "0 0 1 0 0"] {
            let report = try await stack.importRows(entityName: "Locker", from: JSONLines(.text(row)))
            #expect(report.line == line, "\(report.failures)")
            #expect(try await parties(stack) == ["Company NewCo guards", "Person Ben"])
        }
    }

    private static let formats = [ExportFormat.json, .csv(CSVFormat())]

    @Test(arguments: formats, [0, 1])
    func `are not exported with an object of another entity`(format: ExportFormat, depth: Int) async throws {
        let stack = try stack(companyNotes: ["relatedByAttribute": "register"])
        try await addLocker(1, guardedBy: "Person", stack)
        let error = await #expect(throws: FormatError.self) {
            try await Club.export(stack, "Locker", ExportOptions(format: format, depth: depth))
        }
        #expect(error?.code == .unsupportedExport && error?.key == "guardian", "\(error as Any)")
        #expect(error?.message.contains("Locker.guardian leads to Person 1, but its className") == true)
    }

    @Test func `are exported with their own objects, to any depth`() async throws {
        let stack = try stack(companyNotes: ["relatedByAttribute": "register"])
        try await addLocker(1, guardedBy: "Company", stack)
        let table = ExportOptions(format: .csv(CSVFormat(lineEnd: .lf)))
        #expect(try await Club.export(stack, "Locker", table).text == "number,guardian\n1,CH-7\n")
        let nested = try await Club.export(stack, "Locker", ExportOptions(format: .jsonLines, depth: 1))
        #expect(nested.text == #"{"number":1,"guardian":{"name":"Ben","register":"CH-7","staff":[]}}"# + "\n")
    }
}
