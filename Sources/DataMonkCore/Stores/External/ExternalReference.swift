public import Foundation

/// **Value.** What a row holds in place of data that lies in a file of its own: which store's, and which file.
///
/// ```
/// 0        4                    20
/// +--------+--------------------+
/// | source | the file's UUID    |
/// +--------+--------------------+
/// ```
/// The data is read when the property is: a fetch of a thousand objects does not read a thousand files.
@usableFromInline
package struct ExternalReference: Hashable, Sendable {
    /// How many bytes it takes in a row.
    package static let size = 20

    /// The number of the store's ``ExternalSource``.
    package let source: UInt32
    /// The file's name.
    package let identifier: UUID

    package init(source: UInt32, identifier: UUID) {
        self.source = source
        self.identifier = identifier
    }

    /// The reference in a row.
    @usableFromInline
    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == Self.size, "A row marks as a reference what is none.")
        source = bytes.loadUnaligned(as: UInt32.self)
        identifier = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 4, as: uuid_t.self))
    }

    /// Lends the bytes that a row holds.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 4) { bytes in
            bytes.storeBytes(of: source, as: UInt32.self)
            bytes.storeBytes(of: identifier.uuid, toByteOffset: 4, as: uuid_t.self)
            return try body(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Reads the data.
    ///
    /// - Throws: ``StoreError`` if the file is missing or cannot be read, or its store is closed.
    package func data() throws -> Data {
        guard let source = ExternalSources.source(numbered: source) else { throw StoreError.externalStoreIsGone }
        return try source.data(of: identifier)
    }

    /// Tells the stack's error handler of an error of `data()`.
    fileprivate func report(_ error: any Error) { ExternalSources.source(numbered: source)?.report(error) }
}

extension RowReader {
    /// The data that the reference in a slot leads to, for property reads, which cannot throw: none if it cannot be read,
    /// which the object's context notes.
    @inline(never)
    @usableFromInline
    func externalData(_ slot: Int) -> Data {
        let reference = ExternalReference(bytes(slot))
        do {
            return try reference.data()
        } catch {
            if let object, let context = object.home.context {
                context.noteFailedRead(of: object, slot: slot, error)
            } else {
                reference.report(error)
            }
            return Data()
        }
    }
}
