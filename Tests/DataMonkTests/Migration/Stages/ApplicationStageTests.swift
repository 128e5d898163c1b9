import DataMonk
import DataMonkFixtures
import Foundation
import Synchronization
import Testing

/// Chains of versions in which an application had a step of its own, with that step in this library's words.
@Suite(.requiresFixtures("stores"))
struct `Steps of applications in stages` {
    private static func model(_ number: Int) throws -> ManagedObjectModel {
        try ManagedObjectModel.load(
            contentsOf: Fixtures.url("stores/MigrationExample/MigrationExample_\(number).xcdatamodel"))
    }

    private static func stage() throws -> MigrationStage {
        let stage = try MigrationStage()
        let store = try Fixtures.url("stores/MigrationExample/MigrationExample_1.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: stage.url.path + suffix)
        }
        return stage
    }

    /// The application's own step: it split the content of each post into sections, titled by their first letters.
    private final class Splitting: Sendable {
        private let contents = Mutex<[ManagedValue: ManagedValue]>([:])

        @Sendable func note(_ context: ManagedObjectContext) throws {
            for post in try context.fetch(FetchRequest(entityName: "Post")) {
                let (id, content) = (try post.value(forKey: "postID"), try post.value(forKey: "content"))
                contents.withLock { $0[id] = content }
            }
        }

        @Sendable func split(_ context: ManagedObjectContext) throws {
            for post in try context.fetch(FetchRequest(entityName: "Post")) {
                let id = try post.value(forKey: "postID")
                guard case .string(let text)? = contents.withLock({ $0[id] }) else { continue }
                let parts = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
                for (number, part) in parts.enumerated() {
                    try context.insert(
                        "Section",
                        [
                            "title": .string("\(part.prefix(4))..."), "body": .string(part),
                            "index": .int(Int64(number)), "post": .object(post.anyObjectID),
                        ])
                }
            }
        }
    }

    @Test func `posts are split in sections, stepwise and in one leap`() throws {
        let (first, second, third) = (try Self.model(1), try Self.model(2), try Self.model(3))
        let (stepwise, splitting) = (try Self.stage(), Splitting())
        let posts = try stepwise.contents(first)
        try stepwise.open(second, stages: StagedMigration(from: first, [.lightweight(to: second)]))
        try stepwise.open(
            third,
            stages: StagedMigration(
                from: second,
                [.custom(to: third, willMigrate: splitting.note, didMigrate: splitting.split)]))
        let leap = try Self.stage()
        try leap.open(
            third,
            stages: StagedMigration(
                from: first,
                [
                    .lightweight(to: second),
                    .custom(to: third, willMigrate: splitting.note, didMigrate: splitting.split),
                ]))
        let found = try leap.contents(third)
        #expect(try stepwise.contents(third).differences(from: found).isEmpty)
        let sections = found.objects.filter { $0.key.hasPrefix("Section/") }
        #expect(found.objects.count - sections.count == posts.objects.count && !posts.objects.isEmpty)
        #expect(sections.count >= posts.objects.count && sections.values.allSatisfy { $0["post"] != "" })
        for (name, post) in posts.objects where post["content"]?.contains("string") == true {
            #expect(found[name]["sections"]?.isEmpty == false && found[name]["hexColor"] == post["color"])
        }
    }
}
