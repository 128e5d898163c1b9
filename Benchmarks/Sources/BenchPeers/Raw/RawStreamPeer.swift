import BenchKit
import SystemSQLite

/// **Confined.** Below the limit: the same statements, columns read in place, nothing kept.
final class RawStreamPeer: Peer {
    static let name = "raw-stream"
    private let connection: RawConnection

    init(path: String, template: Template, durability: Durability) throws {
        connection = try RawConnection(path: path, durability: durability)
    }

    func close() { connection.close() }

    func fetchAllPeople() throws -> Digest {
        var digest = Digest()
        try add(connection.statement(RawSQL.allPeople), to: &digest)
        return digest
    }

    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        let statement = try connection.statement(RawSQL.query)
        sqlite3_bind_int64(statement, 1, Int64(minimumAge))
        bindText(statement, 2, location)
        sqlite3_bind_int64(statement, 3, Int64(limit))
        var digest = Digest()
        try add(statement, to: &digest)
        return digest
    }

    func lookUp(ids: [Int64]) throws -> Digest { try connection.inTransaction { try lookUpSeparately(ids: ids) } }

    func lookUpSeparately(ids: [Int64]) throws -> Digest {
        let statement = try connection.statement(RawSQL.byID)
        var digest = Digest()
        for id in ids {
            sqlite3_bind_int64(statement, 1, id)
            try add(statement, to: &digest)
        }
        return digest
    }

    /// Every row of the statement, as `RawPerson` would add it.
    private func add(_ statement: OpaquePointer, to digest: inout Digest) throws {
        while try connection.step(statement) {
            digest.row()
            _ = sqlite3_column_text(statement, 1)
            digest.add(Int(sqlite3_column_bytes(statement, 1)) * 31)
            digest.add(sqlite3_column_int64(statement, 2))
            let hasLocation = sqlite3_column_text(statement, 3) != nil
            digest.add(hasLocation ? Int(sqlite3_column_bytes(statement, 3)) * 31 : 13)
            digest.add(sqlite3_column_double(statement, 4))
            digest.add(sqlite3_column_double(statement, 5))
            let hasFriend = sqlite3_column_type(statement, 6) != SQLITE_NULL
            digest.add(hasFriend ? sqlite3_column_int64(statement, 6) : 7)
        }
        sqlite3_reset(statement)
    }
}
