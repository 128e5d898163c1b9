import CSQLite
import DataMonkCore
import Foundation

/// Lets the files of some databases fail: SQLite's calls to the system go through here, once the first test has asked.
///
/// Each file of the system's VFS gets a copy of its table of calls in which some are ours.
final class FaultyFiles: Sendable {
    enum Call: Hashable, Sendable { case read, write, sync }

    static let shared = FaultyFiles()

    private struct State: Sendable {
        /// How many calls more fail, by path and call.
        var faults: [String: [Call: Int]] = [:]
        /// The paths whose disk is full.
        var full: Set<String> = []
        /// By the address of the open file.
        var paths: [UInt: String] = [:]
        /// The errno of the last call that failed.
        var errors: [UInt: Int32] = [:]
        /// The system's tables, by the addresses of the copies, and the other way round.
        var originals: [UInt: UInt] = [:]
        var copies: [UInt: UInt] = [:]
    }

    private let state = Locked(State())

    /// Registers the VFS for connections that are opened from now on.
    private init() {
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.pointee = sqlite3_vfs_find(nil).pointee
        vfs.pointee.zName = UnsafePointer(strdup("faulty"))
        vfs.pointee.xOpen = { _, path, file, flags, result in
            let code = sqlite3_vfs_find("unix").pointee.xOpen(sqlite3_vfs_find("unix"), path, file, flags, result)
            if code == SQLITE_OK, let path, let file { FaultyFiles.shared.didOpen(file, String(cString: path)) }
            return code
        }
        sqlite3_vfs_register(vfs, 1)
    }

    /// Lets the next calls for a file fail with EIO.
    func fail(_ call: Call, of path: String, times: Int = 1) {
        state.withLock { $0.faults[path, default: [:]][call] = times }
    }

    /// Lets nothing be written to a file any more: its disk is full.
    func fill(_ path: String) {
        state.withLock { state in
            state.faults[path, default: [:]][.write] = .max
            state.full.insert(path)
        }
    }

    /// Lets nothing fail any more.
    func heal(_ path: String) {
        state.withLock { state in
            state.faults[path] = nil
            state.full.remove(path)
        }
    }

    // MARK: Calls

    private func didOpen(_ file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
        guard let original = file.pointee.pMethods else { return }
        state.withLock { state in
            state.paths[UInt(bitPattern: file)] = path
            state.errors[UInt(bitPattern: file)] = nil
            let key = UInt(bitPattern: original)
            if state.copies[key] == nil {
                let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
                copy.pointee = original.pointee
                Self.replaceCalls(of: copy)
                state.copies[key] = UInt(bitPattern: copy)
                state.originals[UInt(bitPattern: copy)] = key
            }
            file.pointee.pMethods = state.copies[key].flatMap { UnsafePointer(bitPattern: $0) }
        }
    }

    private static func replaceCalls(of methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xRead = { file, bytes, count, place in
            if FaultyFiles.shared.fails(.read, file) { return SQLITE_IOERR | (33 << 8) }
            return FaultyFiles.shared.original(file).xRead(file, bytes, count, place)
        }
        methods.pointee.xWrite = { file, bytes, count, place in
            if FaultyFiles.shared.fails(.write, file) {
                return FaultyFiles.shared.lastError(file) == ENOSPC ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
            }
            return FaultyFiles.shared.original(file).xWrite(file, bytes, count, place)
        }
        methods.pointee.xSync = { file, flags in
            if FaultyFiles.shared.fails(.sync, file) { return SQLITE_IOERR | (4 << 8) }
            return FaultyFiles.shared.original(file).xSync(file, flags)
        }
        methods.pointee.xFileControl = { file, operation, argument in
            if operation == SQLITE_FCNTL_LAST_ERRNO, let error = FaultyFiles.shared.lastError(file) {
                argument?.storeBytes(of: error, as: Int32.self)
                return SQLITE_OK
            }
            return FaultyFiles.shared.original(file).xFileControl(file, operation, argument)
        }
    }

    private func original(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
        let table = UInt(bitPattern: file?.pointee.pMethods)
        let original = state.withLock { $0.originals[table] }.flatMap {
            UnsafePointer<sqlite3_io_methods>(bitPattern: $0)
        }
        guard let original else { preconditionFailure("A file that was not opened here") }
        return original.pointee
    }

    private func fails(_ call: Call, _ file: UnsafeMutablePointer<sqlite3_file>?) -> Bool {
        let key = UInt(bitPattern: file)
        return state.withLock { state in
            guard let path = state.paths[key], let count = state.faults[path]?[call], count > 0 else { return false }
            state.faults[path]?[call] = count - 1
            let error = call == .write && state.full.contains(path) ? ENOSPC : EIO
            state.errors[key] = error
            errno = error
            return true
        }
    }

    private func lastError(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32? {
        state.withLock { $0.errors[UInt(bitPattern: file)] }
    }
}
