import DataMonkCore
import Foundation

extension SQLiteConnection {
    /// Runs `body` on a connection that leaves the file unchanged, whoever else has it open.
    ///
    /// ```
    /// at rest        there is neither a log nor a journal: without locks, and without making files beside it
    /// with others    as any other reader; also if somebody began to write in the meantime
    /// a copy         in a folder of its own, if the log cannot be opened: on a volume or in a folder that is read-only
    /// ```
    /// Each way is one state of the store. If the file has changed while it was read without locks, `body` is run once more, so it
    /// must begin anew each time. What the disk does not read is tried once.
    static func reading<Value>(
        _ url: URL, label: String = "facts", busyTimeout: Duration = .seconds(5),
        body: (SQLiteConnection) throws -> Value
    ) throws -> Value {
        func read(_ url: URL, _ access: SQLiteOptions.Access) throws -> Value {
            let connection = try open(url, access, label, busyTimeout)
            let value = try body(connection)
            try connection.close()
            return value
        }
        return try StoreError.translatingFailures(of: url) {
            let before = FileState.settled(of: url)
            if before.isAtRest {
                let result = Result { try read(url, .immutable) }
                if FileState(of: url) == before || !isOfFile(result) { return try result.get() }
            }
            let connection: SQLiteConnection
            do {
                connection = try open(url, .readOnly, label, busyTimeout)
            } catch let failure as SQLiteFailure where failure.needsWriting {
                // Reason for try?: the first error says why the file cannot be read.
                guard let copy = try? PrivateCopy(of: url, hasFiles: false) else { throw failure }
                // Reason for try?: what a journal undoes, only a writer undoes; a damaged copy is read as it is.
                try? open(copy.url, .readWrite, label, busyTimeout).close()
                return try withExtendedLifetime(copy) { try read(copy.url, .readOnly) }
            }
            let value = try body(connection)
            try connection.close()
            return value
        }
    }

    private static func open(
        _ url: URL, _ access: SQLiteOptions.Access, _ label: String, _ busyTimeout: Duration
    ) throws -> SQLiteConnection {
        var options = SQLiteOptions(access: access)
        options.label = label
        options.busyTimeout = busyTimeout
        let connection = try SQLiteConnection(fileURL: url, options: options)
        try connection.rememberFailedReads()
        return connection
    }

    /// Returns `true` for a value, and for an error that a change of the file may have caused.
    private static func isOfFile<Value>(_ result: Result<Value, any Error>) -> Bool {
        switch result {
        case .success: true
        case .failure(let error): error is SQLiteFailure || error is any DataMonkError
        }
    }
}
