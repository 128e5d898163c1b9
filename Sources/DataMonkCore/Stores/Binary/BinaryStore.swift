package import Foundation

/// **Shared.** A store in a file of this project's own binary form.
///
/// ```
/// bytes   0 ..<  8    "DMonkBin"
///         8 ..< 12    version of the form: UInt32, 1
///        12 ..< 20    number of bytes of the body: UInt64
///        20 ..< 52    SHA-256 of the body
///        52 ...       body; see `BinaryContentsWriter`
/// ```
/// Numbers are little-endian. Core Data's own binary stores are keyed archives of private classes, and are refused by name.
package struct BinaryStore: AtomicStore {
    static let magic = Data("DMonkBin".utf8)
    static let version: UInt32 = 1
    static let headerSize = 52
    /// The largest file that is held in memory.
    static let maximumSize = 1 << 30

    private let file: AtomicFile

    package var url: URL? { file.url }
    package var typeName: String { "Binary" }

    package init(url: URL, files: any FileCalls) throws {
        file = try AtomicFile(url, maximumSize: Self.maximumSize, files: files)
    }

    package func load(model: ManagedObjectModel) throws -> AtomicContents? {
        guard let bytes = try file.read() else { return nil }
        let body = try checkedBody(bytes)
        do {
            var reader = BinaryContentsReader(body)
            return try reader.contents()
        } catch is BinaryContentsReader.Damage {
            throw damaged("its parts do not fit together")
        }
    }

    package func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        var writer = BinaryContentsWriter()
        try writer.add(contents, of: file.url)
        var bytes = Self.magic
        withUnsafeBytes(of: Self.version.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(writer.bytes.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(SHA256.hash(writer.bytes))
        bytes.append(writer.bytes)
        try file.write(bytes)
    }

    private func checkedBody(_ bytes: Data) throws -> Data {
        guard bytes.starts(with: Self.magic) else {
            throw bytes.count < Self.magic.count && Self.magic.starts(with: bytes)
                ? damaged("it ends too early") : otherForm(bytes)
        }
        guard bytes.count >= Self.headerSize else { throw damaged("it ends too early") }
        let version = UInt32(truncatingIfNeeded: Self.number(in: bytes[8..<12]))
        guard version <= Self.version, version > 0 else {
            throw StoreError(
                .incompatibleSchema,
                """
                \(file.url.lastPathComponent) has version \(version) of the binary form, and this library reads version \
                \(Self.version). Open it with the library that wrote it.
                """, storeURL: file.url)
        }
        let body = bytes[(bytes.startIndex + Self.headerSize)...]
        guard Self.number(in: bytes[12..<20]) == UInt64(body.count) else {
            throw damaged("it is not as long as it says")
        }
        guard SHA256.hash(body) == bytes[20..<Self.headerSize] else { throw damaged("its checksum is wrong") }
        return body
    }

    private static func number(in bytes: Data) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func damaged(_ reason: String) -> StoreError {
        StoreError(
            .corrupt, "\(file.url.lastPathComponent) is damaged: \(reason). Restore the file from a backup.",
            storeURL: file.url)
    }

    private func otherForm(_ bytes: Data) -> StoreError {
        // A keyed archive is a binary property list.
        let isArchive = bytes.starts(with: Data("bplist".utf8)) || bytes.starts(with: Data("CoreDataBinary".utf8))
        let kind =
            isArchive
            ? "may be a binary store of Core Data, whose form is not known here. Move it into a database file with "
                + "Core Data's migratePersistentStore, and open that"
            : "is not a binary store of this library. Pass the location of one, or of no file to create one"
        return StoreError(.invalidType, "\(file.url.lastPathComponent) \(kind).", storeURL: file.url)
    }
}
