package import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
package import Foundation

/// **Value.** The examination of a store by `doctor`, and the copy that was made of it.
package struct DoctorReport {
    /// **Value.** The copy that is asked for.
    package enum Treatment {
        case repair(URL)
        case salvage(URL)
    }

    /// A Boolean value indicating whether a repaired copy was asked for.
    let wantsRepair: Bool
    /// The location of the store.
    package let url: URL
    package let examination: StoreExamination
    package private(set) var repair: StoreRepair?
    package private(set) var salvage: StoreSalvage?
    /// The reason why there is no copy, although one was asked for.
    package private(set) var failure: (any Error)?

    /// Examines a store from a private copy.
    ///
    /// - Throws: ``StoreError`` if it cannot be read; ``ModelError`` for the given model.
    package init(storeAt url: URL, modelAt modelURL: URL? = nil, treatment: Treatment? = nil) throws {
        self.url = url
        if case .repair = treatment { wantsRepair = true } else { wantsRepair = false }
        let copy = try PrivateCopy(of: url)
        do {
            // Reason for try?: the examination reports metadata that cannot be read.
            let metadata = (try? StoreFacts.read(copy.url).metadata) ?? StoreMetadata(values: [:])
            let model = try modelURL.map { try GivenModel(at: $0, for: metadata).model }
            examination = try StoreExaminer.examine(copy.url, of: url, model: model).examination
            guard let treatment else { return }
            do {
                switch treatment {
                case .repair(let target):
                    if examination.unrepairable.isEmpty {
                        repair = try StoreRepairer.repair(copy.url, to: target, model: model)
                    }
                case .salvage(let target): salvage = try StoreSalvager.salvage(copy.url, to: target, model: model)
                }
            } catch {
                failure = error
            }
        } catch {
            guard var error = error as? StoreError else { throw error }
            error.storeURL = url
            throw error
        }
    }

    /// The exit status of the command.
    package var status: ExitStatus {
        if let failure { return ExitStatus(writing: failure) == .cannotWrite ? .cannotWrite : .findings }
        if repair != nil { return .success }
        if let salvage { return salvage.isWhole ? .success : .findings }
        return examination.isSound ? .success : .findings
    }
}
