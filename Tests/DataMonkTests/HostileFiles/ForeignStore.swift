import DataMonk
import Foundation
import Testing

/// A small store that tests change as somebody else might have, and then use in every way there is.
struct ForeignStore {
    static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Note") {
                AttributeDescription("text", .string)
                AttributeDescription("count", .integer64)
                AttributeDescription("share", .double)
                AttributeDescription("price", .decimal)
                AttributeDescription("day", .date)
                AttributeDescription("code", .uuid)
                AttributeDescription("link", .uri)
                AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)
                AttributeDescription("tags", .transformable)
                AttributeDescription("total", .integer64, derivationExpression: "children.@count")
                RelationshipDescription("parent", to: "Note", inverse: "children")
                RelationshipDescription(
                    "children", to: "Note", inverse: "parent", isToMany: true, deleteRule: .cascade)
                RelationshipDescription("labels", to: "Label", inverse: "notes", isToMany: true, isOrdered: true)
            }
            EntityDescription("LongNote", superentityName: "Note") { AttributeDescription("more", .string) }
            EntityDescription("Label") {
                AttributeDescription("name", .string)
                RelationshipDescription("notes", to: "Note", inverse: "labels", isToMany: true)
            }
        }
    }

    /// A filled store, made once: three notes, each the parent of the next, and a label of all.
    private static let template = Result {
        let folder = try TemporaryFolder()
        let stack = Stack(model: try model.get())
        try stack.addDatabaseStore(fileURL: folder.file("Notes.sqlite"), synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        var notes: [ManagedObject] = []
        for number in 0..<3 {
            let note = try context.insert(
                number == 2 ? "LongNote" : "Note",
                [
                    "text": .string("note \(number)"), "count": .int(Int64(number)), "share": 0.5,
                    "price": .decimal(Decimal(number)), "day": .date(Date(timeIntervalSinceReferenceDate: 0)),
                    "code": .uuid(UUID()), "image": .data(PhotoShop.bytes(number == 0 ? 200_000 : 10)),
                    "tags": .data(try Transformable(["a", 1]).data),
                    "parent": notes.last.map { .object($0.anyObjectID) } ?? .null,
                ])
            notes.append(note)
        }
        let label = try context.insert("Label", ["name": "red"])
        try label.setObjects(notes, forKey: "notes")
        try context.save()
        context.endTurn()
        try stack.close()
        return folder
    }

    let folder: TemporaryFolder
    var url: URL { folder.file("Notes.sqlite") }
    var dataFolder: URL { folder.url.appending(path: ".Notes_SUPPORT/_EXTERNAL_DATA") }

    init() throws {
        let template = try Self.template.get()
        folder = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
            try FileManager.default.copyItem(at: template.file(name), to: folder.file(name))
        }
    }

    /// The rows that the `sqlite3` command selects.
    @discardableResult
    func rows(_ sql: String) throws -> [[String]] { try StoreCopy.rows(url, sql) }

    /// Runs a script that writes to notes. The triggers of the derived attribute call functions that the `sqlite3` command
    /// does not have, so they are dropped; opening the store makes them again.
    func change(_ script: String) throws {
        let triggers = try rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        try rows(triggers.map { "DROP TRIGGER \($0[0]);" }.joined() + script)
    }

    func openStack(readOnly: Bool = false, immutable: Bool = false) throws -> Stack {
        let stack = Stack(model: try Self.model.get())
        stack.onError { error in
            if !DamageOutcome.isTyped(error) { Issue.record(error) }
        }
        try stack.addDatabaseStore(
            fileURL: url, synchronous: .normal, busyTimeout: .zero, readOnly: readOnly, immutable: immutable)
        return stack
    }

    /// A Boolean value indicating whether an error is the library's.
    private static func isTyped(_ error: any Error) -> Bool { DamageOutcome.isTyped(error) || error is TransformError }

    // MARK: Uses

    /// The uses of a store, in the order in which `outcomes` makes them.
    enum Use: CaseIterable {
        case metadata, model, examining, repairing, salvaging, readingImmutable, reading, changing
    }

    /// Uses the store in every way, and returns what each threw. An error that is none of the library's is an issue.
    func outcomes() throws -> [Use: Result<Void, any Error>] {
        var outcomes: [Use: Result<Void, any Error>] = [:]
        for use in Use.allCases {
            let outcome = Result { try attempt(use) }
            if case .failure(let error) = outcome, !Self.isTyped(error) {
                Issue.record("\(use) throws \(type(of: error)): \(error)")
            }
            outcomes[use] = outcome
        }
        return outcomes
    }

    private func attempt(_ use: Use) throws {
        switch use {
        case .metadata: _ = try Stack.metadata(ofStoreAt: url)
        case .model: _ = try ManagedObjectModel.load(fromStoreAt: url)
        case .examining: _ = try Stack.examine(storeAt: url)
        case .repairing: _ = try Stack.repair(storeAt: url, to: folder.file("Repaired.sqlite"))
        case .salvaging: _ = try Stack.salvage(storeAt: url, to: folder.file("Salvaged.sqlite"))
        case .readingImmutable: try read(openStack(immutable: true))
        case .reading: try read(openStack(readOnly: true))
        case .changing:
            let stack = try openStack()
            _ = try StoreEdit.perform(on: stack)
            try read(stack)
        }
    }

    /// Reads every value of every object, in every way, and closes the stack.
    private func read(_ stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for name in ["Note", "Label"] {
            for object in try context.fetch(FetchRequest(entityName: name)) {
                for attribute in object.entity.attributes {
                    try allowTyped { try object.value(forKey: attribute.name) }
                }
                for relationship in object.entity.relationships {
                    try allowTyped { try object.objects(forKey: relationship.name) }
                }
                if object.entity.propertiesByName["tags"] != nil {
                    try allowTyped { try object.transformedValue(forKey: "tags") }
                }
            }
        }
        context.disregardFailedReads()
        for key in ["text", "count", "share", "price", "day", "parent.count", "children.@sum.count"] {
            var request = FetchRequest(entityName: "Note")
            request.sortTerms = [SortTerm(key.hasPrefix("children") ? "count" : key)]
            try allowTyped { try context.fetch(request).count }
            request.sortTerms = []
            request.condition = try Condition(format: "\(key) != 1 OR \(key) < 0")
            try allowTyped { try context.count(request) }
        }
        var request = FetchRequest(entityName: "Note")
        request.resultType = .dictionaries
        for function in [FetchRequest.Selection.Function.sum, .average, .minimum, .maximum] {
            request.propertiesToFetch = ["count", "share", "price"].map { .init(function, of: $0, alias: $0) }
            try allowTyped { try context.values(request) }
        }
        context.endTurn()
        try stack.close()
    }

    /// Runs `body`, which may throw an error of the library's.
    private func allowTyped<Value>(_ body: () throws -> Value) throws {
        do {
            _ = try body()
        } catch  where Self.isTyped(error) {
        }
    }
}

extension Result where Success == Void {
    /// A Boolean value indicating whether nothing was thrown.
    var succeeded: Bool { if case .success = self { true } else { false } }
}
