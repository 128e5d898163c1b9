#if Postgres
    import DataMonkCore
    import Foundation

    /// **Value.** A constant that the server compares with a column as memory does.
    enum ServerConstant: Sendable, Hashable {
        case integer(Int64)
        case double(Double)
        case boolean(Bool)
        case text(String)
        case data(Data)
        case uuid(UUID)
        case date(Date)

        /// Creates the constant for an attribute's column; `nil` if the server would compare otherwise, or cannot say it.
        ///
        /// Decimals are left out: in memory they count as doubles beside other numbers, and on the server they do not.
        init?(_ value: ManagedValue, comparedWith attribute: Entity.Attribute) {
            switch (attribute.type, value) {
            case (.integer16, .int(let number)), (.integer32, .int(let number)), (.integer64, .int(let number)):
                self = .integer(number)
            case (.double, .double(let number)) where !number.isNaN, (.float, .double(let number)) where !number.isNaN:
                self = .double(number)
            case (.boolean, .bool(let flag)): self = .boolean(flag)
            // Resolved constants are numbers here; others than these equal no Boolean value.
            case (.boolean, .int(0)): self = .boolean(false)
            case (.boolean, .int(1)): self = .boolean(true)
            // No text of the server's has a NUL.
            case (.string, .string(let text)) where !attribute.isCodable && !text.utf8.contains(0): self = .text(text)
            case (.uri, .url(let url)): self = .text(url.absoluteString)
            case (.binary, .data(let data)) where !attribute.description.allowsExternalBinaryDataStorage:
                self = .data(data)
            case (.uuid, .uuid(let uuid)): self = .uuid(uuid)
            case (.date, .date(let date)) where Self.isExact(date): self = .date(date)
            default: return nil
            }
        }

        /// A Boolean value indicating whether the date is a microsecond, in a time in which each has a date of its own.
        private static func isExact(_ date: Date) -> Bool {
            // A date that the server cannot represent is not exact either.
            guard abs(date.timeIntervalSinceReferenceDate) < 4_000_000_000, let rounded = try? date.roundedForPostgres()
            else { return false }
            return rounded == date
        }

        /// Appends the constant as a parameter.
        func bind(to sql: inout ServerSQL) throws(PostgresValueError) {
            switch self {
            case .integer(let value): try sql.bind(value)
            case .double(let value): try sql.bind(value)
            case .boolean(let value): try sql.bind(value)
            case .text(let value): try sql.bind(value)
            case .data(let value): try sql.bind(value)
            case .uuid(let value): try sql.bind(value)
            case .date(let value): try sql.bind(value)
            }
        }

        /// Appends constants of one kind as an array.
        static func bind(_ constants: [ServerConstant], to sql: inout ServerSQL) throws(PostgresValueError) {
            switch constants.first {
            case .integer:
                try sql.bind(array: constants.compactMap { if case .integer(let value) = $0 { value } else { nil } })
            case .double:
                try sql.bind(array: constants.compactMap { if case .double(let value) = $0 { value } else { nil } })
            case .boolean:
                try sql.bind(array: constants.compactMap { if case .boolean(let value) = $0 { value } else { nil } })
            case .text:
                try sql.bind(array: constants.compactMap { if case .text(let value) = $0 { value } else { nil } })
            case .data:
                try sql.bind(array: constants.compactMap { if case .data(let value) = $0 { value } else { nil } })
            case .uuid:
                try sql.bind(array: constants.compactMap { if case .uuid(let value) = $0 { value } else { nil } })
            case .date:
                try sql.bind(array: constants.compactMap { if case .date(let value) = $0 { value } else { nil } })
            case nil: sql.append("NULL")
            }
        }
    }
#endif
