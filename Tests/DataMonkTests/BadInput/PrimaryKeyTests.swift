import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Stores in which `Z_MAX`, the highest key given out, is not what it says.
@Suite struct `The highest primary key of a store` {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Notes.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        let stack = try openStack()
        try insert(3, "Note", stack)
        try insert(1, "Letter", stack)
        try stack.close()
    }

    private func openStack() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Note") { AttributeDescription("text", .string) }
                EntityDescription("Letter", superentityName: "Note", properties: [])
            })
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal, tracksHistory: true)
        return stack
    }

    private func insert(_ count: Int, _ name: String, _ stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for _ in 0..<count { _ = try context.insert(try #require(stack.model.entitiesByName[name])) }
        try context.save()
    }

    private func keys() throws -> String {
        try StoreCopy.rows(url, "SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZNOTE ORDER BY 1)")[0][0]
    }

    @Test(arguments: ["0", "NULL", "'many'", "-7", "2", "x'FF'"])
    func `that is too small, or no number, heals itself`(value: String) throws {
        _ = try StoreCopy.rows(url, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(value)")
        let stack = try openStack()
        try insert(1, "Letter", stack)
        try insert(1, "Note", stack)
        #expect(try keys() == "1,2,3,4,5,6")
        try stack.close()
        let numbers = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 2"
        // `Letter` comes first by name, but the entity at the top counts.
        #expect(try StoreCopy.rows(url, numbers.replacing("2", with: "1")) == [["6"]])
    }

    @Test func `that another program leaves behind while the store is open heals itself`() throws {
        let stack = try openStack()
        try insert(1, "Note", stack)
        _ = try StoreCopy.rows(url, "INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT) VALUES(6, 1, 1), (7, 1, 1)")
        try insert(1, "Note", stack)
        #expect(try keys() == "1,2,3,4,5,6,7,8")
    }

    @Test func `is not taken back when rows were deleted`() throws {
        _ = try StoreCopy.rows(url, "DELETE FROM ZNOTE WHERE Z_PK > 1")
        try insert(1, "Note", try openStack())
        #expect(try keys() == "1,5")
    }
}
