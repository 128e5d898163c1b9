import DataMonkCore
import DataMonkSQL
import Foundation

/// The file, its version and its model.
extension StoreExaminer {
    mutating func checkFile() throws {
        let problems = try integrityProblems()
        let indexed = problems.map { (problem: $0, index: Self.index(in: $0)) }
        for index in Set(indexed.compactMap(\.index)).sorted() {
            let count = indexed.count { $0.index == index }
            let name = SQLIdentifier.quotedIfNeeded(index)
            diagnoses.append(
                Diagnosis(
                    .damagedIndex, table: objects.first { $0.name == index }?.table, count: count,
                    problem: "The index \(index) does not have the entries of its table.",
                    repair: .init(["REINDEX \(name)"], "builds the index again")))
        }
        let others = indexed.filter { $0.index == nil }.map(\.problem)
        guard let first = others.first else { return }
        let text = first.split(separator: "\n").filter { !$0.hasPrefix("***") }.joined(separator: "; ")
        diagnoses.append(
            Diagnosis(
                .damagedPages, count: others.count,
                problem: "SQLite finds damage in \(others.count == 1 ? "the file" : "several places"), first: \(text).")
        )
    }

    private mutating func integrityProblems() throws -> [String] {
        var problems: [String] = []
        do {
            try connection.withinSteps {
                try connection.withStatement("PRAGMA integrity_check") { statement in
                    while try statement.step() { problems.append(statement.text(at: 0) ?? "") }
                }
            }
        } catch let failure as SQLiteFailure where failure.isDamage {
            // The check ends where it can read no further.
            problems.append(failure.message)
            leadsAround = failure.isInterrupted
        }
        // The check ends after a hundred problems, so there may be more.
        if problems.count >= 100 || problems.contains(where: { $0.contains("2nd reference to page") }) {
            leadsAround = true
        }
        return problems.filter { $0 != "ok" }
    }

    /// Returns the name of the index that a line of SQLite's integrity check is about, if it is about one.
    private static func index(in problem: String) -> String? {
        for phrase in [" missing from index ", "wrong # of entries in index ", "non-unique entry in index "] {
            if let range = problem.range(of: phrase) { return String(problem[range.upperBound...]) }
        }
        return nil
    }

    // MARK: Metadata

    mutating func readMetadata() throws -> (String?, StoreMetadata?) {
        var (identifier, metadata): (String?, StoreMetadata?) = (nil, nil)
        if hasTable("Z_METADATA") {
            try reading("Z_METADATA") { examiner in
                let sql = "SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1"
                (identifier, metadata) = try examiner.connection.withStatement(sql) { statement in
                    defer { statement.reset() }
                    guard try statement.step() else { return (nil, nil) }
                    // Reason for try?: metadata that cannot be read are recorded below.
                    let list = statement.data(at: 1).flatMap { try? StoreMetadata(propertyList: $0) }
                    return (statement.text(at: 0), list)
                }
            }
        }
        if identifier.flatMap(UUID.init(uuidString:)) == nil {
            identifier = nil
            diagnoses.append(
                Diagnosis(
                    .unreadableMetadata, table: "Z_METADATA",
                    problem: "The store's identifier (Z_UUID of Z_METADATA) is missing or is no UUID.",
                    advice: "Restore a backup, or salvage the store, which gives it a new one."))
        }
        if let metadata {
            checkDigests(metadata)
        } else {
            diagnoses.append(
                Diagnosis(
                    .unreadableMetadata, table: "Z_METADATA",
                    problem: "The store's version (Z_PLIST of Z_METADATA) is missing or cannot be read."))
        }
        return (identifier, metadata)
    }

    private mutating func checkDigests(_ metadata: StoreMetadata) {
        let corrected = metadata.withCorrectDigests
        // Reason for try?: a list that was just read can be written.
        guard corrected != metadata, let bytes = try? corrected.propertyList() else { return }
        diagnoses.append(
            Diagnosis(
                .wrongDigest, table: "Z_METADATA",
                problem: "The digest of the version hashes in the metadata is not that of the hashes.",
                repair: .init(
                    ["UPDATE Z_METADATA SET Z_PLIST = \(Self.literal(bytes)) WHERE Z_VERSION = 1"],
                    "computes it again")))
    }

    static func literal(_ bytes: Data) -> String { "x'\(bytes.map { String(format: "%02x", $0) }.joined())'" }

    // MARK: The model

    /// Returns the schema by which rows are examined, or `nil` if no model of the store is known.
    mutating func findSchema(_ given: ManagedObjectModel?, _ metadata: StoreMetadata?) throws -> StoreSchema? {
        let hashes = metadata?.versionHashes ?? [:]
        let stored = try storedModel(hashes, isNeeded: given == nil)
        guard let model = given ?? stored else { return nil }
        // Both list them, and either may be damaged.
        var numbered: Set<String> = []
        if hasTable("Z_PRIMARYKEY") {
            try reading("Z_PRIMARYKEY") { numbered = Set(try $0.connection.texts("SELECT Z_NAME FROM Z_PRIMARYKEY")) }
        }
        let names = numbered.union(hashes.keys)
        let lacking = numbered.intersection(hashes.keys).subtracting(model.entities.map(\.name))
        if given == nil, let name = lacking.min() {
            // Without it, other entities have other numbers: their rows would be taken for those of nobody.
            diagnoses.append(Self.unreadableModel("contains a damaged model, without the entity \(name)"))
            return nil
        }
        // A damaged list has names that the model does not have, and the other one keeps names from before a migration: the
        // tables tell then.
        let isDamaged = !Set(model.entities.map(\.name)).isSuperset(of: hashes.keys)
        let members = model.entities.filter { entity in
            hashes.isEmpty || names.contains(entity.name)
                || isDamaged && hasTable("Z\(entity.root.name.uppercased())")
        }
        guard !members.isEmpty else {
            diagnoses.append(Self.differentModel("The store has none of the entities of the model."))
            return nil
        }
        let schema = try SQLiteStore.fitted(StoreSchema(model: model, members: members), to: connection)
        if let mismatch = metadata?.mismatch(with: schema) {
            diagnoses.append(Self.differentModel(Self.describe(mismatch)))
            // Rows are examined by a model that is not quite theirs only if it is the one in the store.
            if given != nil { return nil }
        }
        if stored == nil { missingModel(model) }
        return schema
    }

    private static func differentModel(_ problem: String) -> Diagnosis {
        Diagnosis(
            .differentModel, problem: problem, remedy: .manual,
            advice: "Pass the model that the store was written with.")
    }

    private static func describe(_ mismatch: StoreMetadata.Mismatch) -> String {
        switch mismatch {
        case .unknownHashes(let version):
            return "The version hashes have version \(version), which this library does not know."
        case .entities(let added, let removed, let changed):
            let names = (added + removed + changed).joined(separator: ", ")
            return "The version hashes in the metadata are not those of the model, in these entities: \(names)."
        }
    }

    private mutating func storedModel(_ hashes: [String: Data], isNeeded: Bool) throws -> ManagedObjectModel? {
        var bytes: Data?
        if hasTable("Z_MODELCACHE") {
            try reading("Z_MODELCACHE") { examiner in
                let sql = "SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1"
                bytes = try examiner.connection.withStatement(sql) { statement in
                    defer { statement.reset() }
                    return try statement.step() ? statement.data(at: 0) : nil
                }
            }
        }
        // Frameworks before 2013 kept no model in the store.
        guard let bytes, !bytes.isEmpty else {
            if isNeeded { diagnoses.append(Self.unreadableModel("does not contain its model")) }
            return nil
        }
        do {
            return try ModelCache.read(bytes).model(storedHashes: hashes).model
        } catch {
            if isNeeded { diagnoses.append(Self.unreadableModel("contains a model that cannot be read")) }
            return nil
        }
    }

    private static func unreadableModel(_ problem: String) -> Diagnosis {
        Diagnosis(
            .unreadableModel, table: "Z_MODELCACHE",
            problem: "The store \(problem), so its rows were not examined.", remedy: .manual,
            advice: "Pass the model that it was written with.")
    }

    /// Records that the model in the store is damaged, where another one was given. A store without one is sound.
    private mutating func missingModel(_ model: ManagedObjectModel) {
        guard hasTable("Z_MODELCACHE") else { return }
        // Reason for try?: without the bytes, the model cannot be put into the store, and is not missed in it either.
        guard let bytes = try? ModelCache.data(for: model) else { return }
        diagnoses.append(
            Diagnosis(
                .unreadableModel, table: "Z_MODELCACHE",
                problem: "The model in the store is missing or cannot be read.",
                repair: .init(
                    [
                        "DELETE FROM Z_MODELCACHE",
                        "INSERT INTO Z_MODELCACHE(Z_CONTENT) VALUES(\(Self.literal(bytes)))",
                    ], "puts the given model into it")))
    }
}
