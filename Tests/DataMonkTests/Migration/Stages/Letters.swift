import DataMonk
import DataMonkSQLite
import Foundation

/// A store with letters, of which one has a text and a seal, and the stages that split the texts into pages.
struct Letters {
    let stage: MigrationStage
    /// Letters with a text; with a text and pages; with pages.
    let models: [ManagedObjectModel]

    init() throws {
        stage = try MigrationStage()
        models = try [(true, false), (true, true), (false, true)].map { try Self.model($0, $1) }
    }

    /// Letters with a text, and with pages.
    static func model(
        _ hasText: Bool, _ hasPages: Bool, numbers: AttributeType = .integer16
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Letter") {
                AttributeDescription("name", .string)
                AttributeDescription("words", .string, isCodable: true)
                AttributeDescription("seal", .binary, allowsExternalBinaryDataStorage: true)
                if hasText { AttributeDescription("text", .string) }
                if hasPages { RelationshipDescription("pages", to: "Page", inverse: "letter", isToMany: true) }
            }
            if hasPages {
                EntityDescription("Page") {
                    AttributeDescription("text", .string)
                    AttributeDescription("number", numbers)
                    RelationshipDescription("letter", to: "Letter", inverse: "pages")
                }
            }
        }
    }

    /// Splits the texts of letters into pages.
    @Sendable static func split(_ context: ManagedObjectContext) throws {
        for letter in try context.fetch(FetchRequest(entityName: "Letter")) {
            guard case .string(let text) = try letter.value(forKey: "text") else { continue }
            for (number, part) in text.split(separator: "|").enumerated() {
                try context.insert(
                    "Page",
                    [
                        "text": .string(String(part)), "number": .int(Int64(number)),
                        "letter": .object(letter.anyObjectID),
                    ])
            }
        }
    }

    var stages: StagedMigration {
        StagedMigration(
            from: models[0], [.custom(to: models[1], didMigrate: Self.split), .lightweight(to: models[2])])
    }

    static let seal = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

    func write() throws {
        try stage.write(models[0]) { context in
            try context.insert("Letter", ["name": "a", "text": "one|two", "seal": .data(Self.seal)])
            try context.insert("Letter", ["name": "b"])
        }
    }

    /// Writes to the store as no program of this library would.
    func execute(_ sql: String) throws {
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute(sql)
        try connection.close()
    }

    /// Takes the file of the seal away.
    func loseSeal() throws {
        let folder = stage.url.deletingLastPathComponent()
        for path in try externalFiles().keys { try FileManager.default.removeItem(at: folder.appending(path: path)) }
    }

    /// The files beside the store.
    func externalFiles() throws -> [String: Data] {
        let folder = stage.url.deletingLastPathComponent()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            path.contains("_EXTERNAL_DATA/")
        }
        return Dictionary(
            uniqueKeysWithValues: try paths.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }
}

extension ManagedObject {
    /// The value as a property of a class reads it: `nil` where it cannot be read.
    func plainText(_ name: String) -> String? {
        entity.attribute(named: name).flatMap { property(at: $0.slot) }
    }

    func plainData(_ name: String) -> Data? {
        entity.attribute(named: name).flatMap { property(at: $0.slot) }
    }
}
