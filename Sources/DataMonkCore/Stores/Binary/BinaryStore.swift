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
        return try Self.contents(of: bytes, url: file.url)
    }

    /// Reads the contents of a file.
    ///
    /// - Throws: ``StoreError`` if it has another form or version, or if it is damaged.
    static func contents(of bytes: Data, url: URL) throws -> AtomicContents {
        let body = try checkedBody(bytes, url)
        do {
            var reader = BinaryContentsReader(body)
            return try reader.contents()
        } catch is BinaryContentsReader.Damage {
            throw damaged("its parts do not fit together", url)
        }
    }

    package func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        var writer = BinaryContentsWriter()
        try writer.add(contents, of: file.url)
        var bytes = Self.magic
        withUnsafeBytes(of: Self.version.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt64(writer.bytes.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(SHA2.sha256.hash(writer.bytes))
        bytes.append(writer.bytes)
        try file.write(bytes)
    }

    /// Checks that a file is one of this form, damaged or not.
    ///
    /// - Throws: ``StoreError`` with the code `invalidType` if it has another form.
    static func checkForm(of bytes: Data, url: URL) throws {
        if !bytes.starts(with: magic), !magic.starts(with: bytes) { throw otherForm(bytes, url) }
    }

    private static func checkedBody(_ bytes: Data, _ url: URL) throws -> Data {
        try checkForm(of: bytes, url: url)
        guard bytes.count >= headerSize else { throw damaged("it ends too early", url) }
        let found = UInt32(truncatingIfNeeded: number(in: bytes[8..<12]))
        guard found <= version, found > 0 else {
            throw StoreError(
                .incompatibleSchema,
                """
                \(url.lastPathComponent) has version \(found) of the binary form, and this library reads version \
                \(version). Open it with the library that wrote it.
                """, storeURL: url)
        }
        let body = bytes[(bytes.startIndex + headerSize)...]
        guard number(in: bytes[12..<20]) == UInt64(body.count) else {
            throw damaged("it is not as long as it says", url)
        }
        guard SHA2.sha256.hash(body) == bytes[20..<headerSize] else { throw damaged("its checksum is wrong", url) }
        return body
    }

    private static func number(in bytes: Data) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func damaged(_ reason: String, _ url: URL) -> StoreError {
        StoreError(
            .corrupt, "\(url.lastPathComponent) is damaged: \(reason). Restore the file from a backup.",
            storeURL: url)
    }

    private static func otherForm(_ bytes: Data, _ url: URL) -> StoreError {
        // A keyed archive is a binary property list.
        let isArchive = bytes.starts(with: Data("bplist".utf8)) || bytes.starts(with: Data("CoreDataBinary".utf8))
        let kind =
            isArchive
            ? "may be a binary store of Core Data, whose form is not known here. Move it into a database file with "
                + "Core Data's migratePersistentStore, and open that"
            : "is not a binary store of this library. Pass the location of one, or of no file to create one"
        return StoreError(.invalidType, "\(url.lastPathComponent) \(kind).", storeURL: url)
    }
}
