import DataMonk
import Foundation
import Testing

/// An answer of an API with nested objects, as GitHub gives them: issues with users, labels and milestones.
@Suite struct IssueAnswerTests {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Issue", userInfo: ["relatedByAttribute": "number"]) {
                AttributeDescription("number", .integer64)
                AttributeDescription("title", .string)
                AttributeDescription("isLocked", .boolean, userInfo: ["mappedKeyName": "locked"])
                AttributeDescription("created", .date, userInfo: ["mappedKeyName": "created_at"])
                RelationshipDescription("user", to: "User", inverse: "issues")
                RelationshipDescription("assignees", to: "User", inverse: "assigned", isToMany: true)
                RelationshipDescription("labels", to: "Label", inverse: "issues", isToMany: true)
                RelationshipDescription("milestone", to: "Milestone", inverse: "issues")
            }
            EntityDescription("User", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                AttributeDescription("login", .string)
                RelationshipDescription("issues", to: "Issue", inverse: "user", isToMany: true)
                RelationshipDescription("assigned", to: "Issue", inverse: "assignees", isToMany: true)
            }
            EntityDescription("Label", userInfo: ["relatedByAttribute": "id"]) {
                AttributeDescription("id", .integer64)
                AttributeDescription("name", .string)
                RelationshipDescription("issues", to: "Issue", inverse: "labels", isToMany: true)
            }
            EntityDescription("Milestone", userInfo: ["relatedByAttribute": "number"]) {
                AttributeDescription("number", .integer64)
                AttributeDescription("title", .string)
                RelationshipDescription("issues", to: "Issue", inverse: "milestone", isToMany: true)
            }
        }
    }

    /// Issues: `DATAMONK_ISSUES`.
    private static var count: Int {
        ProcessInfo.processInfo.environment["DATAMONK_ISSUES"].flatMap { Int($0) } ?? 300
    }

    private static func user(_ number: Int) -> String {
        "{\"login\": \"user-\(number)\", \"id\": \(number + 1_000), \"site_admin\": false, \"html_url\": \"https://example.com/u\\/\(number)\"}"
    }

    private static func issue(_ number: Int) -> String {
        let labels = (0..<number % 4).map {
            "{\"id\": \($0), \"name\": \"label \\\"\($0)\\\"\", \"color\": \"ff00\($0)0\"}"
        }
        let milestone = number % 3 == 0 ? "null" : "{\"number\": \(number % 7), \"title\": \"Ünder \(number % 7)\"}"
        return """
            {"number": \(number), "title": "Crash \\ud83d\\udca5 no. \(number)", "locked": \(number % 2 == 0),
             "created_at": "2026-11-24T02:15:\(10 + number % 50)Z", "user": \(user(number % 50)), "body": "a\\r\\nb",
             "assignees": [\((0..<number % 3).map { user($0) }.joined(separator: ", "))],
             "labels": [\(labels.joined(separator: ","))], "milestone": \(milestone), "reactions": {"+1": 0, "url": null}}
            """
    }

    /// Compares an issue, and what it leads to, with what the answer says of its number.
    private func check(_ issue: ManagedObject) throws {
        guard case .int(let key) = try issue.value(forKey: "number") else { throw CocoaError(.coderInvalidValue) }
        let number = Int(key)
        #expect(try issue.value(forKey: "title") == .string("Crash 💥 no. \(number)"))
        #expect(try issue.value(forKey: "isLocked") == .bool(number % 2 == 0))
        let created = try Date("2026-11-24T02:15:\(10 + number % 50)Z", strategy: .iso8601)
        #expect(try issue.value(forKey: "created") == .date(created))
        func texts(_ objects: [ManagedObject], _ keys: String...) throws -> [String] {
            try objects.map { object in
                try keys.map { "\(try object.value(forKey: $0))" }.joined(separator: " ")
            }.sorted()
        }
        func text(_ values: ManagedValue...) -> String { values.map { "\($0)" }.joined(separator: " ") }
        func user(_ number: Int) -> String { text(.int(Int64(number + 1_000)), .string("user-\(number)")) }
        let author = try issue.object(forKey: "user").map { [$0] } ?? []
        #expect(try texts(author, "id", "login") == [user(number % 50)])
        let assignees = try texts(issue.objects(forKey: "assignees"), "id", "login")
        #expect(assignees == (0..<number % 3).map(user))
        let labels = try texts(issue.objects(forKey: "labels"), "id", "name")
        #expect(labels == (0..<number % 4).map { text(.int(Int64($0)), .string("label \"\($0)\"")) })
        let milestone = try issue.object(forKey: "milestone").map { [$0] } ?? []
        let expected = text(.int(Int64(number % 7)), .string("Ünder \(number % 7)"))
        #expect(try texts(milestone, "number", "title") == (number % 3 == 0 ? [] : [expected]))
    }

    @Test func `an answer of nested issues becomes a graph, once`() async throws {
        let stack = Stack(model: try Self.model.get())
        try stack.addInMemoryStore()
        let count = Self.count
        let text = "{\"total_count\": \(count), \"items\": [\((0..<count).map(Self.issue).joined(separator: ","))]}"
        let rows = JSONRows(.text(text), at: "items")
        let report = try await stack.importRows(entityName: "Issue", from: rows)
        #expect(report.inserted == count && report.failed == 0, "\(report.failures)")
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for (name, expected) in [("Issue", count), ("User", 50), ("Label", 3), ("Milestone", 7)] {
            #expect(try context.count(FetchRequest(entityName: name)) == expected, "\(name)")
        }
        for issue in try context.fetch(FetchRequest(entityName: "Issue")) { try check(issue) }
        context.endTurn()
        let again = try await stack.importRows(entityName: "Issue", from: rows)
        #expect(again.unchanged == count, "\(again)")
    }
}
