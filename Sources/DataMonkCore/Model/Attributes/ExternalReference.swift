public import Foundation

/// **Value.** A reference in a row to data in a separate file: the store, and the file.
///
/// ```
/// 0        4                    20
/// +--------+--------------------+
/// | source | the file's UUID    |
/// +--------+--------------------+
/// ```
/// The data is read when the property is accessed: a fetch of a thousand objects does not read a thousand files.
@usableFromInline
package struct ExternalReference: Hashable, Sendable {
    /// The size in a row, in bytes.
    package static let size = 20

    /// The number of the store's ``ExternalSource``.
    package let source: UInt32
    /// The file's name.
    package let identifier: UUID

    package init(source: UInt32, identifier: UUID) {
        self.source = source
        self.identifier = identifier
    }

    /// Creates the reference from its bytes in a row.
    @usableFromInline
    package init(_ bytes: UnsafeRawBufferPointer) {
        precondition(
            bytes.count == Self.size, "The bytes of a row are marked as an external reference, but are not one")
        source = bytes.loadUnaligned(as: UInt32.self)
        identifier = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 4, as: uuid_t.self))
    }

    /// Lends the bytes of the reference for a row.
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

    /// Reports an error of `data()` to the stack's error handler.
    fileprivate func report(_ error: any Error) { ExternalSources.source(numbered: source)?.report(error) }
}

extension RowReader {
    /// Returns the data for the reference in a slot. For property reads, which cannot throw: returns empty data if it cannot
    /// be read, and the object's context records the failure.
    @inline(never)
    @usableFromInline
    func externalData(_ slot: Int) -> Data {
        let reference = ExternalReference(bytes(slot))
        do {
            return try reference.data()
        } catch {
            if let object, let context = object.home.context {
                context.faults.noteFailedRead(of: object, slot: slot, error)
            } else if let object {
                // The store may be closed as well, and its source gone.
                object.home.coordinator.directory.reportIncompleteRead(error)
            } else {
                reference.report(error)
            }
            return Data()
        }
    }
}
