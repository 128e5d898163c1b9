package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    /// Moves a store of another version, with its external data, to a folder beside it, where it can still be opened:
    ///
    /// ```
    /// Shop.sqlite                     Shop.1767225600/Shop.sqlite
    /// .Shop_SUPPORT/…                 Shop.1767225600/.Shop_SUPPORT/…
    /// ```
    /// No one else may have the file open meanwhile. ``PuttingAside`` describes the steps.
    ///
    /// - Parameters:
    ///   - model: The model of the new store. If the file has its version by now, it stays: another process was faster.
    ///   - configuration: The configuration of the new store.
    ///   - observer: Called after each step, for tests that stop there.
    /// - Returns: The place where the store is now, or `nil` if the file stays.
    /// - Throws: ``StoreError`` with the code `locked` while anyone else has the file open or reads its external data,
    ///   `openFailed` for a link to a file, or `writeFailed` if a file cannot be moved. The store is then where it was.
    package static func putAside(
        _ url: URL, unlessOf model: ManagedObjectModel, configuration: String?,
        observer: @escaping (PuttingAside.Step) -> Void = { _ in }
    ) throws -> PuttingAside.Outcome? {
        let schema = try StoreSchema(model: model, configuration: configuration)
        return try StoreError.translatingFailures(of: url) {
            let deadline = ContinuousClock.now + SQLiteOptions(access: .readWrite).busyTimeout
            while true {
                do {
                    return try PuttingAside(url, observer: observer).run(unlessOf: schema)
                } catch let failure as SQLiteFailure where failure.isBusy || failure.isMoved {
                    if isStore(url, of: schema) { return nil }
                    guard ContinuousClock.now < deadline else { throw failure }
                    // Jitter, so that two processes that put a store aside at once do not collide forever.
                    usleep(.random(in: 0...100_000))
                } catch let error as StoreError where error.code == .locked {
                    guard ContinuousClock.now < deadline else { throw error }
                    // A backup reads the external data, or for a moment a stack that has just closed the file. Jitter, as above.
                    usleep(.random(in: 0...100_000))
                } catch  where !FileManager.default.fileExists(atPath: url.path) {
                    // Another process was faster.
                    return nil
                }
            }
        }
    }

    /// Returns `true` if another process has created a store of this version at the location.
    private static func isStore(_ url: URL, of schema: StoreSchema) -> Bool {
        do {
            return try StoreFacts.read(url).metadata.mismatch(with: schema) == nil
        } catch {
            // It may be about to be created; the caller retries.
            return false
        }
    }
}
