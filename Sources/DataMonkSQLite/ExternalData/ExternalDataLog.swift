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

    /// Returns the column value for data in a row: inline after a byte 1, or the name of its file after a byte 2.
    func columnValue(of row: UnsafeRawPointer, slot: Int) throws -> [UInt8] {
        let bytes = RowFormat.bytes(in: row, at: slot)
        guard RowFormat.isReference(in: row, at: slot) else {
            if bytes.count <= ExternalDataFolder.largestInlineSize { return Self.inline(bytes) }
            return Self.reference(to: try write(bytes))
        }
        let reference = ExternalReference(bytes)
        if reference.source == folder.number {
            // An older row is being written back. Nothing is swept during this transaction, so the file stays if it exists.
            guard try folder.holds(reference.identifier) else {
                throw StoreError.missingExternalData(reference.identifier.uuidString, in: folder.storeURL)
            }
            return Self.reference(to: reference.identifier)
        }
        // The data comes from another store, whose file is not ours.
        return try reference.data().withUnsafeBytes { data in
            data.count <= ExternalDataFolder.largestInlineSize
                ? Self.inline(data) : Self.reference(to: try write(data))
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws -> UUID {
        let identifier = try folder.write(bytes)
        written.append(identifier)
        return identifier
    }

    private static func inline(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var value: [UInt8] = [1]
        value.reserveCapacity(bytes.count + 1)
        value.append(contentsOf: bytes)
        return value
    }

    private static func reference(to identifier: UUID) -> [UInt8] { [2] + Array(identifier.uuidString.utf8) + [0] }
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
