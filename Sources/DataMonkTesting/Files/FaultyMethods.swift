import CSQLite
import Foundation

/// **Value.** The calls of SQLite for an open file of a faulty disk. Each counts, fails if it is to fail, and goes on to the VFS
/// below.
enum FaultyMethods {
    private typealias File = FaultyVFS.File

    /// SQLITE_IOERR_…, which Swift does not import.
    private enum Code {
        static let read = SQLITE_IOERR | (33 << 8)  // _CORRUPTFS, as the system's VFS tells EIO
        static let write = SQLITE_IOERR | (3 << 8)
        static let sync = SQLITE_IOERR | (4 << 8)
        static let truncate = SQLITE_IOERR | (6 << 8)
        static let size = SQLITE_IOERR | (7 << 8)
        static let readLock = SQLITE_IOERR | (9 << 8)
        static let reservedLock = SQLITE_IOERR | (14 << 8)
        static let lock = SQLITE_IOERR | (15 << 8)
        static let indexSize = SQLITE_IOERR | (19 << 8)
        static let indexLock = SQLITE_IOERR | (20 << 8)
        static let indexMap = SQLITE_IOERR | (21 << 8)
    }

    /// The lock of a log's index that a transaction holds.
    private static let writeLock: Int32 = 0

    /// The calls, as SQLite finds them.
    // nonisolated(unsafe): made once, never written again, and never freed.
    nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: sqlite3_io_methods())
        // Version 2: shared memory, but no mapped files, whose reads would not pass through here.
        table.pointee.iVersion = 2
        addContents(to: table)
        addLocks(to: table)
        addFacts(to: table)
        return UnsafePointer(table)
    }()

    private static func addContents(to table: UnsafeMutablePointer<sqlite3_io_methods>) {
        table.pointee.xClose = { file in
            guard let file else { return SQLITE_MISUSE }
            let code = FaultyMethods.below(file).xClose(FaultyVFS.below(file))
            FaultyVFS.close(file)
            return code
        }
        table.pointee.xRead = { file, bytes, count, offset in
            FaultyMethods.read(file, into: bytes, count: count, at: offset)
        }
        table.pointee.xWrite = { file, bytes, count, offset in
            FaultyMethods.write(file, bytes: bytes, count: count, at: offset)
        }
        table.pointee.xTruncate = { file, size in
            FaultyMethods.call(file, operation: .truncate, code: Code.truncate) { file, methods, opened in
                let code = methods.xTruncate(file, size)
                if code == SQLITE_OK { opened.didTruncate(to: Int(size)) }
                return code
            }
        }
        table.pointee.xSync = { file, flags in FaultyMethods.synchronize(file, flags: flags) }
        table.pointee.xFileSize = { file, size in
            FaultyMethods.call(file, operation: .examine, code: Code.size) { file, methods, _ in
                methods.xFileSize(file, size)
            }
        }
    }

    private static func addLocks(to table: UnsafeMutablePointer<sqlite3_io_methods>) {
        table.pointee.xLock = { file, kind in
            let code = kind == SQLITE_LOCK_SHARED ? Code.readLock : Code.lock
            return FaultyMethods.call(file, operation: .lock, code: code) { file, methods, _ in
                methods.xLock(file, kind)
            }
        }
        table.pointee.xUnlock = { file, kind in
            FaultyMethods.call(file) { file, methods in methods.xUnlock(file, kind) }
        }
        table.pointee.xCheckReservedLock = { file, result in
            FaultyMethods.call(file, operation: .lock, code: Code.reservedLock) { file, methods, _ in
                methods.xCheckReservedLock(file, result)
            }
        }
        table.pointee.xShmMap = { file, page, size, extends, result in
            FaultyMethods.mapIndex(file, page: page, size: size, extends: extends, result: result)
        }
        table.pointee.xShmLock = { file, first, count, flags in
            guard flags & SQLITE_SHM_UNLOCK == 0 else {
                let code = FaultyMethods.call(file) { file, methods in methods.xShmLock(file, first, count, flags) }
                if first == FaultyMethods.writeLock, flags & SQLITE_SHM_EXCLUSIVE != 0, let file {
                    FaultyVFS.opened(file).place.disk.didReleaseWriteLock()
                }
                return code
            }
            return FaultyMethods.call(file, operation: .lock, code: Code.indexLock) { file, methods, _ in
                methods.xShmLock(file, first, count, flags)
            }
        }
        table.pointee.xShmBarrier = { file in
            if let file { FaultyMethods.below(file).xShmBarrier(FaultyVFS.below(file)) }
        }
        table.pointee.xShmUnmap = { file, deletes in
            FaultyMethods.call(file) { file, methods in methods.xShmUnmap(file, deletes) }
        }
    }

    private static func addFacts(to table: UnsafeMutablePointer<sqlite3_io_methods>) {
        table.pointee.xFileControl = { file, operation, argument in
            if operation == SQLITE_FCNTL_LAST_ERRNO, let file, let error = FaultyVFS.opened(file).lastError {
                argument?.storeBytes(of: error, as: Int32.self)
                return SQLITE_OK
            }
            return FaultyMethods.call(file) { file, methods in methods.xFileControl(file, operation, argument) }
        }
        table.pointee.xSectorSize = { file in
            FaultyMethods.call(file) { file, methods in methods.xSectorSize(file) }
        }
        table.pointee.xDeviceCharacteristics = { file in
            FaultyMethods.call(file) { file, methods in methods.xDeviceCharacteristics(file) }
        }
    }

    // MARK: Calls that may do half

    private static func read(
        _ file: File?, into bytes: UnsafeMutableRawPointer?, count: Int32, at offset: sqlite3_int64
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let opened = FaultyVFS.opened(file)
        let fault = opened.place.begin(.read, bytes: Int(offset)..<Int(offset) + Int(count))
        guard let fault else { return below(file).xRead(FaultyVFS.below(file), bytes, count, offset) }
        if fault == .short { _ = below(file).xRead(FaultyVFS.below(file), bytes, count / 2, offset) }
        // A read that ends early goes on, and then meets the error.
        return opened.fail(fault == .short ? .inputOutputError : fault, code: Code.read)
    }

    private static func write(
        _ file: File?, bytes: UnsafeRawPointer?, count: Int32, at offset: sqlite3_int64
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let opened = FaultyVFS.opened(file)
        let fault = opened.place.begin(.write, bytes: Int(offset)..<Int(offset) + Int(count))
        let written = fault == nil ? count : fault?.writesHalf == true ? count / 2 : 0
        if written > 0 {
            let code = below(file).xWrite(FaultyVFS.below(file), bytes, written, offset)
            guard code == SQLITE_OK else { return code }
            opened.didWrite(UnsafeRawBufferPointer(start: bytes, count: Int(written)), at: Int(offset))
        }
        guard let fault else { return SQLITE_OK }
        if fault == .killHalfway { FaultyDisk.killProcess() }
        return opened.fail(fault, code: fault.systemError == ENOSPC ? SQLITE_FULL : Code.write)
    }

    private static func synchronize(_ file: File?, flags: Int32) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let opened = FaultyVFS.opened(file)
        if let code = opened.fails(.sync, code: Code.sync) {
            opened.didFailToSync()
            return code
        }
        opened.willSync()
        return opened.place.disk.syncsRealDisk ? below(file).xSync(FaultyVFS.below(file), flags) : SQLITE_OK
    }

    private static func mapIndex(
        _ file: File?, page: Int32, size: Int32, extends: Int32,
        result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let opened = FaultyVFS.opened(file)
        if let fault = opened.place.begin(.sharedMemory) {
            result?.pointee = nil
            return opened.fail(fault, code: fault == .diskFull ? Code.indexSize : Code.indexMap)
        }
        return below(file).xShmMap(FaultyVFS.below(file), page, size, extends, result)
    }

    // MARK: Calls of the VFS below

    private static func below(_ file: File) -> sqlite3_io_methods {
        guard let methods = FaultyVFS.below(file).pointee.pMethods else {
            preconditionFailure("SQLite uses a file that is not open")
        }
        return methods.pointee
    }

    /// Passes a call on that cannot fail.
    private static func call(_ file: File?, _ body: (File, sqlite3_io_methods) -> Int32) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        return body(FaultyVFS.below(file), below(file))
    }

    /// Counts a call, and passes it on unless it fails.
    private static func call(
        _ file: File?, operation: FileOperation, code: Int32,
        _ body: (File, sqlite3_io_methods, FaultyFile) -> Int32
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let opened = FaultyVFS.opened(file)
        return opened.fails(operation, code: code) ?? body(FaultyVFS.below(file), below(file), opened)
    }
}
