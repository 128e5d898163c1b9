import DataMonkCore
import DataMonkSQL
import Foundation
import Testing

@Suite struct `Indexes of a schema` {
    /// The statements that make the named indexes of an entity with attributes of several types.
    private func statements(_ index: FetchIndexDescription) throws -> [String] {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "Task",
                properties: [
                    .attribute(AttributeDescription("title", .string)),
                    .attribute(AttributeDescription("priority", .integer16)),
                    .attribute(AttributeDescription("done", .boolean)),
                    .attribute(AttributeDescription("due", .date)),
                ], indexes: [index])
        ])
        return try StoreSchema(model: model).tables[0].indexes.map(\.createStatement)
    }

    @Test func `descend where the model says so`() throws {
        let elements: [FetchIndexElementDescription] = [.init(.property("due"), isAscending: false), "title"]
        #expect(
            try statements(FetchIndexDescription("byDue", on: elements)) == [
                "CREATE INDEX Z_Task_byDue ON ZTASK (ZDUE COLLATE BINARY DESC, ZTITLE COLLATE BINARY ASC)"
            ])
    }

    @Test(arguments: [
        ("done == NO", " WHERE ZDONE = 0"), ("title != nil", " WHERE ZTITLE IS NOT NULL"),
        ("priority > 3 AND done = 0", " WHERE (ZPRIORITY > 3 AND ZDONE = 0)"),
        ("title == 'it''s' OR priority <= 1", " WHERE (ZTITLE = 'it''s' OR ZPRIORITY <= 1)"),
        // What SQLite alone cannot evaluate: the index has all rows.
        ("title BEGINSWITH 'a'", ""), ("title ==[c] 'a'", ""), ("NOT done == YES", ""), ("title > 'a'", ""),
        ("missing == 1", ""), ("not a condition (", ""),
    ])
    func `are partial where their condition has a plain form`(format: String, end: String) throws {
        let format = format.replacing("''", with: "\\'")
        let index = FetchIndexDescription("part", on: ["title"], partialIndexPredicateFormat: format)
        #expect(try statements(index) == ["CREATE INDEX Z_Task_part ON ZTASK (ZTITLE COLLATE BINARY ASC)\(end)"])
    }

    @Test func `over expressions exist where the expression is a property, R-trees do not`() throws {
        let plain = FetchIndexDescription("plain", on: [.init(.expression("title"))])
        #expect(try statements(plain) == ["CREATE INDEX Z_Task_plain ON ZTASK (ZTITLE COLLATE BINARY ASC)"])
        #expect(try statements(FetchIndexDescription("sum", on: [.init(.expression("priority + 1"))])) == [])
        #expect(
            try statements(FetchIndexDescription("tree", on: [.init(.property("priority"), collationType: .rTree)]))
                == [])
    }
}
