import DataMonkCore
import Foundation

/// Files that are copied from the folder of one store to that of another.
extension ExternalDataFolder {
    /// The number of bytes read at a time.
    private static let chunkSize = 1 << 20

    /// Returns the identifiers of all values.
    func identifiers() throws -> Set<UUID> {
        guard let folder = try open(creating: false) else { return [] }
        return Set(try names(in: folder).filter { !$0.hasPrefix(".") }.compactMap(Self.identifier))
    }

    /// Returns the size of a value's file, or `nil` if there is none.
    func size(of identifier: UUID) throws -> Int64? {
        guard let file = try openFile(of: identifier) else { return nil }
        defer { files.close(file) }
        return Int64(try size(ofFile: file, identifier.uuidString))
    }

    /// Writes a file with the contents of an open one, which is complete and on disk when this returns.
    ///
    /// - Parameters:
    ///   - file: The open file, in the folder of another store.
    ///   - draft: The name of the file until it is complete.
    ///   - observer: Called with the number of bytes of each part.
    /// - Throws: ``UnreadableFile`` if the open file cannot be read.
    func write(
        from file: Int32, of source: ExternalDataFolder, as identifier: UUID, draft: UUID,
        observer: (Int64) throws -> Void
    ) throws {
        let name = identifier.uuidString
        guard let folder = try open(creating: true) else {
            throw StoreError.externalData(ENOENT, name: name, in: storeURL)
        }
        try make(identifier, in: folder, draft: draft) { copy in
            var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
            while true {
                let length = bytes.withUnsafeMutableBytes { files.read(file, into: $0) }
                if length < 0, errno == EINTR { continue }
                guard length >= 0 else {
                    let error = StoreError.externalData(errno, name: name, in: source.storeURL)
                    try UnreadableFile.noting { throw error }
                    return
                }
                if length == 0 { return }
                try bytes.withUnsafeBytes {
                    try write(UnsafeRawBufferPointer(rebasing: $0[..<length]), to: copy, name: name)
                }
                try observer(Int64(length))
            }
        }
    }

    /// Returns `true` if a value's file is there and can be opened.
    func canRead(_ identifier: UUID) throws -> Bool {
        do {
            return try size(of: identifier) != nil
        } catch let error as StoreError where error.isOfUnreadableFile {
            return false
        }
    }

    /// Removes the folder if it is empty, and if nobody else has it open.
    ///
    /// A process that ended in the middle may have left the outer of the two folders alone: it is removed as well.
    ///
    /// - Returns: `true` if a folder was removed.
    @discardableResult func removeIfEmpty() -> Bool {
        let support = Self.url(of: storeURL)
        // Reason for try?: an empty folder is in nobody's way. One with files in it stays.
        try? whileAlone { rmdir(support.appendingPathComponent(Self.filesName).path) }
        return rmdir(support.path) == 0
    }
}
