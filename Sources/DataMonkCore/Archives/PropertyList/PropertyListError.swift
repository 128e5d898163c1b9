/// **Value.** Why bytes are no binary property list that we accept, or a value none that can be written.
package struct PropertyListError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// It does not begin with `bplist0`.
        case notABinaryPropertyList
        /// The trailer or the table of offsets contradicts itself or the length.
        case badTable
        /// An object ends behind the end of the bytes.
        case truncated
        /// A type that property lists do not have, or none that we read (sets).
        case unknownType
        case badString
        case keyIsNotAString
        case duplicateKey
        /// An integer beyond 64 bits with sign.
        case integerOutOfRange
        /// A container holds itself.
        case cycle
        /// One of the ``PropertyListLimits``.
        case tooLarge, tooDeep, tooManyObjects
    }

    package var reason: Reason
    /// Where in the bytes, as far as known.
    package var offset: Int?

    package init(_ reason: Reason, at offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}

/// **Value.** How much of a property list from an untrusted file is read.
package struct PropertyListLimits: Sendable {
    package var byteCount = 64 << 20
    package var depth = 128
    /// Counts an object as often as it is reached: a few bytes that name each other can stand for billions.
    package var objectCount = 2_000_000

    package init() {}
}
