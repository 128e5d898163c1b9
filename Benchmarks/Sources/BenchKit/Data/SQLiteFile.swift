import Foundation
import SystemSQLite

/// **Confined.** A connection for what happens outside the clock: making templates and looking at results.
package final class SQLiteFile {
    private let handle: OpaquePointer

    package init(_ path: String) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else { throw BenchError(handle) }
        self.handle = handle
    }

    package func close() { sqlite3_close(handle) }

    package func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw BenchError(handle) }
    }

    /// The first column of the first row.
    package func text(_ sql: String) throws -> String? {
        let statement = try Statement(sql, on: handle)
        defer { statement.finalize() }
        return try statement.step() ? statement.text(0) : nil
    }

    /// One insertion for each element, whose values `bind` gives.
    package func insert<Elements: Sequence>(
        _ sql: String, _ elements: Elements, bind: (Elements.Element, Statement) -> Void
    ) throws {
        let statement = try Statement(sql, on: handle)
        defer { statement.finalize() }
        for element in elements {
            bind(element, statement)
            _ = try statement.step()
            statement.reset()
        }
    }

    /// The first column of the first row; closes the connection.
    func textAndClose(_ sql: String) throws -> String? {
        defer { close() }
        return try text(sql)
    }

    /// Copies a database that nobody has open, and the large values beside it.
    package static func copy(_ path: String, to target: String) throws {
        for (part, place) in parts(of: path, at: target) {
            try FileManager.default.copyItem(atPath: part, toPath: place)
        }
    }

    /// Moves a database that nobody has open, and the large values beside it; the database comes last.
    static func move(_ path: String, to target: String) throws {
        for (part, place) in parts(of: path, at: target) {
            try FileManager.default.moveItem(atPath: part, toPath: place)
        }
    }

    private static func parts(of path: String, at target: String) -> [(String, String)] {
        [(externalFolder(of: path), externalFolder(of: target)), (path, target)].filter { part, _ in
            FileManager.default.fileExists(atPath: part)
        }
    }

    /// Deletes the database at `path` and what is beside it.
    package static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try? FileManager.default.removeItem(atPath: externalFolder(of: path))
    }

    /// Large values that DataMonk keeps in files of their own.
    private static func externalFolder(of path: String) -> String {
        let file = URL(fileURLWithPath: path)
        let name = ".\(file.deletingPathExtension().lastPathComponent)_SUPPORT"
        return file.deletingLastPathComponent().appendingPathComponent(name).path
    }
}
