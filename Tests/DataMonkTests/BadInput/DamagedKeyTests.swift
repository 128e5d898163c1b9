import DataMonk
import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// Rows with keys that no object can have, where something else than the row is asked for.
@Suite struct `A key out of range` {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Notes.sqlite") }

    /// The note "a", whose parent is the note "b", and the note "z".
    init() throws {
        folder = try TemporaryFolder()
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let parent = try context.insert("Note", ["code": "b"])
        _ = try context.insert("Note", ["code": "a", "parent": .object(parent.anyObjectID)])
        _ = try context.insert("Note", ["code": "z"])
        try context.save()
        context.endTurn()
        try stack.close()
    }

    private func openStack() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Note", uniquenessConstraints: [["code"]]) {
                    AttributeDescription("code", .string)
                    RelationshipDescription("parent", to: "Note")
                }
            })
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        return stack
    }

    @Test(arguments: ["-7", "0", "70368744177664", "9223372036854775807"])
    func `is an error for who wants the unique value of its row`(key: String) throws {
        _ = try StoreCopy.rows(url, "UPDATE ZNOTE SET Z_PK = \(key) WHERE ZCODE = 'z'")
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let request = FetchRequest(entityName: "Note", condition: .compare("code", .equal, "a"))
        let note = try #require(try context.fetch(request).first)
        try note.setValue("z", forKey: "code")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .corrupt && error?.objectURI?.hasSuffix("/Note/p\(key)") == true, "\(error as Any)")
        try note.setValue("c", forKey: "code")
        try context.save()
        context.endTurn()
        try stack.close()
    }

    private func parents() throws -> [ManagedValue] {
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var request = FetchRequest(entityName: "Note", condition: .compare("code", .equal, "a"))
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init("parent")]
        let parents = Result { try context.values(request).flatMap(\.self) }
        context.endTurn()
        try stack.close()
        return try parents.get()
    }

    @Test(arguments: ["-4", "70368744177664", "9223372036854775807"])
    func `is an error for who fetches the reference to it as a value`(key: String) throws {
        _ = try StoreCopy.rows(url, "UPDATE ZNOTE SET ZPARENT = \(key) WHERE ZCODE = 'a'")
        let error = #expect(throws: StoreError.self) { try parents() }
        #expect(error?.code == .corrupt, "\(error as Any)")
    }

    @Test func `is no reference if it is 0`() throws {
        _ = try StoreCopy.rows(url, "UPDATE ZNOTE SET ZPARENT = 0 WHERE ZCODE = 'a'")
        #expect(try parents() == [.null])
    }
}
