import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import Foundation

/// **Value.** The examination of a private copy of a store, whose external data stays where it is.
struct ExaminedCopy {
    let examination: StoreExamination
    private let url: URL
    /// `nil` if the file cannot be copied, as on a failing disk. It is read in its place then.
    private let copy: PrivateCopy?
    private let model: ManagedObjectModel?

    private var source: URL { copy?.url ?? url }

    /// Copies and examines a store.
    ///
    /// - Throws: ``StoreError`` if it cannot be read; ``ModelError`` for the given model.
    init(of url: URL, modelAt modelURL: URL?) throws {
        self.url = url
        var refusal: (any Error)?
        do {
            copy = try PrivateCopy(of: url, hasFiles: false)
        } catch let error as StoreError where error.code == .noReadPermission {
            copy = nil
            refusal = error
        }
        let source = copy?.url ?? url
        // Reason for try?: the examination reports metadata that cannot be read.
        let metadata = (try? StoreFacts.read(source).metadata) ?? StoreMetadata(values: [:])
        model = try modelURL.map { try GivenModel(at: $0, for: metadata).model }
        do {
            examination = try StoreExaminer.examine(source, of: url, model: model).examination
        } catch {
            throw refusal ?? error
        }
    }

    /// Makes a repaired copy; `nil` if a repair would lose something.
    func repair(to target: URL) throws -> StoreRepair? {
        guard examination.unrepairable.isEmpty else { return nil }
        return try StoreRepairer.repair(source, of: url, to: target, model: model)
    }

    func salvage(to target: URL) throws -> StoreSalvage {
        try StoreSalvager.salvage(source, of: url, to: target, model: model)
    }
}
