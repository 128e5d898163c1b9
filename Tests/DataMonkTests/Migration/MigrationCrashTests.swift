import DataMonk
import DataMonkTesting
import Dispatch
import Foundation
import Testing

/// A process that migrates is killed; whoever opens the file next finds the old store or the new one, whole.
@Suite(.serialized) struct `A killed migration` {
    /// One life of the process that is killed.
    private struct Life: Codable, Sendable {
        let url: URL
        /// Before which statement it dies; nil for none.
        var lastStatement: Int?
        /// After which part of a second it dies at the latest.
        var lifetime: Double

        func run() throws {
            let end = DispatchTime.now() + lifetime
            DispatchQueue.global().asyncAfter(deadline: end) { Self.killProcess() }  // Any moment is meant.
            let statements = Locked(0)
            let last = lastStatement
            let stack = Stack(model: try Versions.second.get()) { _ in
                let count = statements.withLock { statements in
                    statements += 1
                    return statements
                }
                if count == last { Self.killProcess() }
            }
            try stack.addDatabaseStore(fileURL: url)
            Self.killProcess()
        }

        private static func killProcess() {
            kill(getpid(), SIGKILL)
            // Other threads may go on for an instant; this one does not.
            while true { pause() }
        }
    }

    /// Every table is rebuilt, and one stays and is written to.
    private enum Versions {
        static let first = Result { try model([]) }
        static let second = Result {
            try model([EntityDescription("Aardvark") { AttributeDescription("name", .string) }])
        }

        private static func model(_ more: [EntityDescription]) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Author", indexes: [FetchIndexDescription("byName", on: ["name"])]) {
                    AttributeDescription("name", .string)
                    RelationshipDescription("books", to: "Book", inverse: "authors", isToMany: true, isOrdered: true)
                    more.map { _ in .attribute(AttributeDescription("age", .integer16, defaultValue: 1)) }
                }
                EntityDescription("Book") {
                    AttributeDescription("title", .string)
                    RelationshipDescription("authors", to: "Author", inverse: "books", isToMany: true)
                }
                more
            }
        }
    }

    @Test func `leaves the old store or the new one`() async throws {
        let seed = UInt64.random(in: 1...1_000_000)
        print("Migration crash test, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let stage = try MigrationStage()
        try stage.write(Versions.first.get()) { context in
            let authors = try (0..<60).map { try context.insert("Author", ["name": .string("author \($0)")]) }
            for number in 0..<300 {
                let book = try context.insert("Book", ["title": .string("book \(number)")])
                try book.setObjects([authors[number % 60], authors[number * 7 % 60]], forKey: "authors")
            }
        }
        let original = try Data(contentsOf: stage.url)
        let before = try stage.contents(Versions.first.get())
        var after = before
        for name in before.objects.keys where name.hasPrefix("Author") { after.objects[name]?["age"] = "int(1)" }
        var outcomes: Set<Bool> = []
        for round in 0..<16 {
            let isByStatement = round.isMultiple(of: 2)
            let life = Life(
                url: stage.url, lastStatement: isByStatement ? Int.random(in: 1...90, using: &random) : nil,
                lifetime: isByStatement ? 20 : Double.random(in: 0...0.08, using: &random))
            await #expect(processExitsWith: .signal(SIGKILL), "round \(round), seed \(seed)") { [life = life as Life] in
                try life.run()
            }
            outcomes.insert(try check(stage, before, after, "round \(round), seed \(seed)"))
            try stage.restore(original)
        }
        print("Outcomes, new or old: \(outcomes)")
    }

    /// - Returns: whether it is the new store.
    private func check(
        _ stage: MigrationStage, _ before: GraphDump, _ after: GraphDump, _ round: Comment
    ) throws -> Bool {
        #expect(try stage.text("PRAGMA integrity_check") == "ok", round)
        let isNew = try stage.text("SELECT count(*) FROM Z_PRIMARYKEY") == "3"
        if !isNew { #expect(try stage.contents(Versions.first.get()) == before, round) }
        #expect(try stage.migrate(to: Versions.second.get()) == after, round)
        return isNew
    }
}
