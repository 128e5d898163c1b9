import CSQLite

/// **Confined.** The places of an open file that the disk could not read. Each is tried once.
///
/// A disk tries a bad sector for seconds before it gives up, and a search past it comes back to it for every key. SQLite takes
/// each error for a damaged page, so the transaction goes on and keeps its snapshot.
///
/// The file's own calls are replaced by copies of them, except for reading and closing.
enum FailedReads {
    private typealias File = UnsafeMutablePointer<sqlite3_file>

    private struct Calls {
        /// The first member: SQLite finds its calls here.
        var methods: sqlite3_io_methods
        let original: UnsafePointer<sqlite3_io_methods>
        /// The offsets of the reads that have failed.
        var offsets: Set<sqlite3_int64> = []
    }

    /// Remembers failed reads of a connection's database and log until they are closed.
    static func remember(on database: OpaquePointer) {
        for pointer in [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER] {
            var file: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(database, nil, pointer, &file) == SQLITE_OK, let file,
                let original = file.pointee.pMethods
            else { continue }
            let calls = UnsafeMutablePointer<Calls>.allocate(capacity: 1)
            calls.initialize(to: Calls(methods: original.pointee, original: original))
            // Version 2: no mapped files, whose reads would not pass through here.
            calls.pointee.methods.iVersion = min(2, original.pointee.iVersion)
            calls.pointee.methods.xRead = { FailedReads.read($0, $1, $2, $3) }
            calls.pointee.methods.xClose = { FailedReads.close($0) }
            file.pointee.pMethods = UnsafeRawPointer(calls).assumingMemoryBound(to: sqlite3_io_methods.self)
        }
    }

    private static func calls(of file: File) -> UnsafeMutablePointer<Calls> {
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(file.pointee.pMethods))
            .assumingMemoryBound(to: Calls.self)
    }

    private static func read(
        _ file: File?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: sqlite3_int64
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let calls = calls(of: file)
        if calls.pointee.offsets.contains(offset) { return SQLiteFailure.failedDisk }
        let code = calls.pointee.original.pointee.xRead(file, bytes, count, offset)
        // SQLITE_IOERR_SHORT_READ is the end of the file.
        guard code & 0xff == SQLITE_IOERR, code != SQLITE_IOERR | (2 << 8) else { return code }
        calls.pointee.offsets.insert(offset)
        return SQLiteFailure.failedDisk
    }

    private static func close(_ file: File?) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let calls = calls(of: file)
        file.pointee.pMethods = calls.pointee.original
        calls.deinitialize(count: 1)
        calls.deallocate()
        return file.pointee.pMethods.pointee.xClose(file)
    }
}
