#if Postgres
    /// **Value.** The reason why a value cannot be sent to the server, or one of the server's cannot be read. It does not
    /// contain the value.
    package enum PostgresValueError: Error, Sendable, Hashable {
        /// A column of one type was to be read as another. The number is PostgreSQL's for the type, from `pg_type`.
        case unexpectedType(expected: String, found: UInt32)
        /// The server's bytes are none of this type.
        case malformed(type: String)
        /// NULL, where a value was to be read.
        case unexpectedNull
        /// NaN, in `numeric` or in a `Decimal`.
        case notANumber
        /// Infinity, in `numeric` or `timestamptz`.
        case infinity
        /// A `numeric` with more digits than `Decimal` has, 38 with exponents from -128 to 127, or an object's.
        case numericOutOfRange
        /// An integer that its type is too narrow for.
        case integerOutOfRange(type: String)
        /// A date before November 24, 4714 BC, or after the year 294276.
        case dateOutOfRange
        /// Text that is no URL, where one was to be read.
        case notAURL
        /// Text with a NUL character.
        case nulCharacter
        /// A value, or a statement with its values, of more than a gigabyte.
        case tooLarge
        /// More values than a statement can have.
        case tooManyParameters
        /// An array of several dimensions.
        case unsupportedDimensions
    }

    extension PostgresValueError: CustomStringConvertible {
        package var description: String {
            switch self {
            case .unexpectedType(let expected, let found):
                "Expected a column of type \(expected), found type \(found). Cast it in the statement."
            case .malformed(let type):
                "The server sent bytes that are no \(type). Check what stands between this program and the server."
            case .unexpectedNull:
                "Expected a value, found NULL. Read it as an optional value."
            case .notANumber:
                "PostgreSQL's numeric and Decimal do not share NaN. Use a number."
            case .infinity:
                "Neither Decimal nor Date has infinity. Replace it in the table."
            case .numericOutOfRange:
                "A numeric has more digits than an object can represent. Round it in the table."
            case .integerOutOfRange(let type):
                "The integer is outside of what PostgreSQL's \(type) can represent. Use a wider type of attribute."
            case .dateOutOfRange:
                "The date is outside of what PostgreSQL can represent. Use one from 4714 BC to AD 294276."
            case .notAURL:
                "The text is no URL. Correct it in the table."
            case .nulCharacter:
                "PostgreSQL's text cannot contain the character NUL. Remove it, or use binary data."
            case .tooLarge:
                "A statement with its values may have a gigabyte at most. Divide it, or store the data elsewhere."
            case .tooManyParameters:
                "A statement may have 65,535 values at most. Divide it, or pass the values as an array."
            case .unsupportedDimensions:
                "Expected an array of one dimension. Use unnest in the statement."
            }
        }
    }
#endif
