package import DataMonkCore
package import Foundation

extension SQLiteStore {
    /// Makes a new store, which appears at its place with what `body` has written, when that is on disk and sound.
    ///
    /// - Parameters:
    ///   - index: The index of the store among the coordinator's stores.
    ///   - body: Writes to the store, and ends its readers and transactions.
    /// - Throws: ``StoreError`` with the code `fileExists` if there is a file at the place, `corrupt` if an examination finds
    ///   something wrong with the store, and those of opening a store; the error of `body`. Nothing is left then.
    package static func make<Result>(
        at url: URL, configuration: String?, directory: ObjectDirectory, index: Int, tracksHistory: Bool,
        trace: StatementTrace?, _ body: (SQLiteStore) throws -> Result
    ) throws -> Result {
        let file = try NewStoreFile(at: url)
        do {
            let store = try open(
                file.partialURL, configuration: configuration, directory: directory, index: index,
                tracksHistory: tracksHistory, placeURL: url, trace: trace)
            if let folder = store.externalData { file.listFiles(of: folder) }
            let result = Swift.Result { try body(store) }
            do { try store.close() } catch {
                // The error of `body` comes first.
                _ = try result.get()
                throw error
            }
            let value = try result.get()
            try file.requireSound(model: directory.model) { StoreError.unsoundCopy(url, $0) }
            try file.publish()
            return value
        } catch {
            file.discard()
            throw error
        }
    }
}

extension StoreError {
    fileprivate static func unsoundCopy(_ url: URL, _ findings: [StoreFinding]) -> StoreError {
        StoreError(
            .corrupt,
            """
            \(url.lastPathComponent) was not made: an examination of what was written found \
            \(findings.first.map { "“\($0)”" } ?? "that it cannot be read"). Try again on another disk; if that does not \
            help, report it.
            """, storeURL: url)
    }
}
