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

    /// Writes a value of another store to a file, which is complete and on disk when this returns.
    ///
    /// - Parameters:
    ///   - file: The open file of the value.
    ///   - name: The name of the new file.
    ///   - draft: Its name until it is complete.
    ///   - observer: Called with the number of bytes of each part.
    /// - Throws: ``UnreadableFile`` if the open file cannot be read.
    func write(
        _ identifier: UUID, from file: Int32, of source: ExternalDataFolder, as name: UUID, draft: UUID,
        observer: (Int64) throws -> Void
    ) throws {
        guard let folder = try open(creating: true) else {
            throw StoreError.externalData(ENOENT, name: name.uuidString, in: storeURL)
        }
        try make(name, in: folder, draft: draft) { copy in
            var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
            while true {
                let length = try UnreadableFile.noting {
                    try source.fill(&bytes, from: file, name: identifier.uuidString)
                }
                if length == 0 { return }
                try bytes.withUnsafeBytes {
                    try write(UnsafeRawBufferPointer(rebasing: $0[..<length]), to: copy, name: name.uuidString)
                }
                try observer(Int64(length))
            }
        }
    }

    /// Compares the file of a value with the one in the folder of another store.
    ///
    /// - Returns: `nil` if there is no file here; `false` if the contents differ, or if this one cannot be read.
    /// - Throws: ``UnreadableFile`` if the other file cannot be read.
    func isSame(_ identifier: UUID, as source: ExternalDataFolder) throws -> Bool? {
        let name = identifier.uuidString
        do {
            guard let own = try openFile(of: identifier) else { return nil }
            defer { files.close(own) }
            guard let other = try UnreadableFile.noting({ try source.openFile(of: identifier) }) else { return false }
            defer { files.close(other) }
            let otherSize = try UnreadableFile.noting { try source.size(ofFile: other, name) }
            guard try size(ofFile: own, name) == otherSize else { return false }
            var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
            var otherBytes = bytes
            while true {
                let length = try fill(&bytes, from: own, name: name)
                let otherLength = try UnreadableFile.noting { try source.fill(&otherBytes, from: other, name: name) }
                guard length == otherLength, memcmp(bytes, otherBytes, length) == 0 else { return false }
                if length < Self.chunkSize { return true }
            }
        } catch let error as StoreError where error.isOfUnreadableFile {
            return false
        }
    }

    /// Fills a buffer from an open file, and returns the number of bytes: fewer than there is room for only at the file's end.
    private func fill(_ bytes: inout [UInt8], from file: Int32, name: String) throws -> Int {
        var count = 0
        while count < bytes.count {
            let length = bytes.withUnsafeMutableBytes {
                files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw StoreError.externalData(errno, name: name, in: storeURL) }
            if length == 0 { break }
            count += length
        }
        return count
    }

    /// Gives a file the name of another one, which it replaces.
    func rename(_ identifier: UUID, to name: UUID) throws {
        guard files.rename(identifier.uuidString, to: name.uuidString, in: descriptorIfOpen) == 0 else {
            throw StoreError.externalData(errno, name: name.uuidString, in: storeURL, failure: .writeFailed)
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
