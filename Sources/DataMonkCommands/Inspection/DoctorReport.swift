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
        var (repair, salvage, failure): (StoreRepair?, StoreSalvage?, (any Error)?)
        examination = try Self.naming(url) {
            try StoreExaminer.keepingFiles(of: url) {
                let before = FileState(of: url)
                var examined = try ExaminedCopy(of: url, modelAt: modelURL)
                // Programs that ignore the lock may have removed a file after the copy was made.
                if examined.examination.findings.contains(where: { $0.kind == .missingFile }),
                    FileState(of: url) != before
                {
                    examined = try ExaminedCopy(of: url, modelAt: modelURL)
                }
                do {
                    switch treatment {
                    case .repair(let target): repair = try examined.repair(to: target)
                    case .salvage(let target): salvage = try examined.salvage(to: target)
                    case nil: break
                    }
                } catch {
                    failure = error
                }
                return examined.examination
            }
        }
        self.repair = repair
        self.salvage = salvage
        self.failure = failure
    }

    private static func naming<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError {
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
