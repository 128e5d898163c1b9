package import DataMonkCore
import DataMonkSQL
package import Foundation

extension SQLiteStore {
    /// Moves a store of another version, with its external data, to a folder beside it, where it can be opened:
    ///
    /// ```
    /// Shop.sqlite                     Shop.1767225600/Shop.sqlite
    /// .Shop_SUPPORT/…                 Shop.1767225600/.Shop_SUPPORT/…
    /// ```
    /// Nobody else may have the file open meanwhile. The steps are ``PuttingAside``'s.
    ///
    /// - Parameters:
    ///   - model: the model of the new store. A file that is of its version by now stays: another process was faster.
    ///   - configuration: the configuration of the new store.
    ///   - observer: called after each step, for tests that end there.
    /// - Returns: the folder; `nil` if the file stays.
    /// - Throws: ``StoreError``: `locked` while somebody else has the file open, `writeFailed` if a file cannot be moved.
    ///   The store is then where it was.
    package static func putAside(
        _ url: URL, unlessOf model: ManagedObjectModel, configuration: String?,
        observer: @escaping (PuttingAside.Step) -> Void = { _ in }
    ) throws -> URL? {
        let schema = try StoreSchema(model: model, configuration: configuration)
        return try StoreError.translatingFailures(of: url) {
            let deadline = ContinuousClock.now + SQLiteOptions(access: .readWrite).busyTimeout
            while true {
                do {
                    return try PuttingAside(url, observer: observer).run(unlessOf: schema)
                } catch let failure as SQLiteFailure where failure.isBusy {
                    if isStore(url, of: schema) { return nil }
                    guard ContinuousClock.now < deadline else { throw failure }
                    // Jitter, so that two processes that put aside at once do not collide for ever.
                    usleep(.random(in: 0...100_000))
                } catch  where !FileManager.default.fileExists(atPath: url.path) {
                    // Another process was faster.
                    return nil
                }
            }
        }
    }

    /// Whether another process has a store of a version open at a place.
    private static func isStore(_ url: URL, of schema: StoreSchema) -> Bool {
        do {
            return try StoreFacts.read(url).metadata.mismatch(with: schema) == nil
        } catch {
            // It may be about to be made; the caller asks again.
            return false
        }
    }
}
