/// **Value.** The reason why bytes are not an acceptable binary property list, or why a value cannot be written as one.
package struct PropertyListError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The bytes do not begin with `bplist0`.
        case notABinaryPropertyList
        /// The trailer or the table of offsets is inconsistent, or does not match the length.
        case badTable
        /// An object extends beyond the end of the bytes.
        case truncated
        /// A type that property lists do not have, or that is not supported (sets).
        case unknownType
        case badString
        case keyIsNotAString
        case duplicateKey
        /// An integer that does not fit in 64 signed bits.
        case integerOutOfRange
        /// A container contains itself.
        case cycle
        /// One of the ``PropertyListLimits`` is exceeded.
        case tooLarge, tooDeep, tooManyObjects
    }

    package var reason: Reason
    /// The position in the bytes, if known.
    package var offset: Int?

    package init(_ reason: Reason, at offset: Int? = nil) {
        self.reason = reason
        self.offset = offset
    }
}

/// **Value.** The limits for reading a property list from an untrusted file.
package struct PropertyListLimits: Sendable {
    package var byteCount = 64 << 20
    package var depth = 128
    /// The maximum number of objects, counting an object each time it is reached: a few bytes that refer to each other can
    /// stand for billions.
    package var objectCount = 2_000_000

    package init() {}
}
