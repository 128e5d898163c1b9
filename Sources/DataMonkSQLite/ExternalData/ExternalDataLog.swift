import DataMonkCore
import Foundation

/// **Confined.** The files written by one transaction, to be removed if it is not committed.
///
/// A failed commit may still be on disk. Its files are kept, and the next sweep finds out which of them have rows.
final class ExternalDataLog {
    private let folder: ExternalDataFolder
    private var written: [UUID] = []
    /// The number of files when the savepoint began.
    private var savepoint = 0
    private var isCommitting = false

    init(_ folder: ExternalDataFolder) { self.folder = folder }

    /// The number of files written so far.
    var count: Int { written.count }

    func beginSavepoint() { savepoint = written.count }

    func rollBackToSavepoint() {
        folder.remove(written[savepoint...])
        written.removeSubrange(savepoint...)
    }

    /// Called before COMMIT: no row may be durable before its file.
    func willCommit() throws {
        if !written.isEmpty { try folder.synchronize() }
        isCommitting = true
    }

    func rollBack() {
        if !isCommitting { folder.remove(written) }
        written = []
    }

    /// Binds the data in a slot of a row: inline after a byte 1, or the name of its file after a byte 2.
    func bind(_ slot: Int, of row: UnsafeRawPointer, to statement: SQLiteStatement, at parameter: Int) throws {
        let bytes = RowFormat.bytes(in: row, at: slot)
        guard RowFormat.isReference(in: row, at: slot) else { return try bind(bytes, to: statement, at: parameter) }
        let reference = ExternalReference(bytes)
        if reference.source == folder.number {
            // An older row is being written back. Nothing is swept during this transaction, so the file stays if it exists.
            guard try folder.holds(reference.identifier) else {
                throw StoreError.missingExternalData(reference.identifier.uuidString, in: folder.storeURL)
            }
            return try bind(reference.identifier, to: statement, at: parameter)
        }
        // The data comes from another store, whose file is not ours.
        try reference.data().withUnsafeBytes { try bind($0, to: statement, at: parameter) }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, to statement: SQLiteStatement, at parameter: Int) throws {
        if bytes.count <= ExternalDataFolder.largestInlineSize {
            return try statement.bind(blob: bytes, after: 1, at: parameter)
        }
        try bind(try write(bytes), to: statement, at: parameter)
    }

    private func bind(_ file: UUID, to statement: SQLiteStatement, at parameter: Int) throws {
        let name = Array(file.uuidString.utf8) + [0]
        try name.withUnsafeBytes { try statement.bind(blob: $0, after: 2, at: parameter) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws -> UUID {
        let identifier = try folder.write(bytes)
        written.append(identifier)
        return identifier
    }
}

extension ExternalReference {
    /// Creates the reference in a column value that begins with a byte 2; `nil` if no UUID follows.
    init?(column bytes: UnsafeRawBufferPointer, source: UInt32) {
        guard bytes.count == 37 || (bytes.count == 38 && bytes[37] == 0),
            let identifier = UUID(uuidString: String(decoding: bytes[1..<37], as: UTF8.self))
        else { return nil }
        self.init(source: source, identifier: identifier)
    }
}
