import CSQLite
import DataMonkCore
import Foundation

/// **Shared.** A file on a faulty disk that SQLite has opened.
final class FaultyFile: Sendable {
    private struct State: Sendable {
        /// A Boolean value indicating whether the next sync makes the file's entry durable, too.
        var syncsFolder: Bool
        /// The error of the last call that failed.
        var lastError: Int32?
    }

    let place: DiskPlace
    private let state: Locked<State>

    init(_ place: DiskPlace, syncsFolder: Bool) {
        self.place = place
        state = Locked(State(syncsFolder: syncsFolder))
    }

    var lastError: Int32? { state.withLock { $0.lastError } }

    /// Counts a call. If it is to fail, notes the error as the system would and returns SQLite's code.
    func fails(_ operation: FileOperation, code: Int32) -> Int32? {
        place.begin(operation).map { fail($0, code: code) }
    }

    /// - Returns: The code, or the one for a full disk.
    func fail(_ fault: FileFault, code: Int32) -> Int32 {
        state.withLock { $0.lastError = fault.systemError }
        errno = fault.systemError
        return code
    }

    func didWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        place.disk.record { $0.write(bytes, to: place.path, at: offset) }
    }

    func didTruncate(to size: Int) { place.disk.record { $0.truncate(place.path, to: size) } }

    func didFailToSync() { place.disk.record { $0.failSync(place.path) } }

    func willSync() {
        let syncsFolder = state.withLock { state in
            defer { state.syncsFolder = false }
            return state.syncsFolder
        }
        place.disk.record { recorder in
            recorder.sync(place.path)
            if syncsFolder { recorder.add(.syncFolder(place.folder)) }
        }
    }
}
