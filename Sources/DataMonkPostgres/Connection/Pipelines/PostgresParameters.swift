#if Postgres
    /// **Value.** The values of a statement's parameters, `$1` and so on, in the server's binary format.
    ///
    /// All values lie in one buffer: a statement with a thousand values costs one allocation or two.
    package struct PostgresParameters: Sendable {
        /// The numbers of the types in `pg_type`.
        private(set) var typeIDs: [UInt32] = []
        /// The lengths of the values, and -1 for NULL.
        private(set) var lengths: [Int32] = []
        /// The values, one behind the other.
        private(set) var bytes: [UInt8] = []

        /// Creates an empty list of values.
        package init() {}

        /// The number of values.
        package var count: Int { lengths.count }

        /// Appends a value, or NULL of its type.
        ///
        /// Throws a ``PostgresValueError`` if the server's type cannot represent the value. Nothing is appended then.
        package mutating func append<Value: PostgresValue>(_ value: Value?) throws(PostgresValueError) {
            try append(typeID: Value.postgresType.id) { bytes throws(PostgresValueError) in
                guard let value else { return false }
                try value.encode(into: &bytes)
                return true
            }
        }

        /// Appends an array. Its elements may be NULL.
        package mutating func append<Value: PostgresValue>(
            array: some Collection<Value?>
        ) throws(PostgresValueError) {
            try append(typeID: Value.postgresType.arrayID) { bytes throws(PostgresValueError) in
                try PostgresArray.encode(array, into: &bytes)
                return true
            }
        }

        /// Creates arrays with the elements of others: `$1` has those of all that are `$1`, and so on.
        ///
        /// - Parameter lists: Lists of arrays of the same types, none of which is empty or NULL.
        init(joining lists: [PostgresParameters]) {
            typeIDs = lists.first?.typeIDs ?? []
            var starts = lists.map { _ in 0 }
            for column in typeIDs.indices {
                assert(
                    lists.allSatisfy { $0.typeIDs == typeIDs && $0.lengths[column] > PostgresArray.headerByteCount },
                    "Only arrays of the same types are joined, and none that are empty")
                let ends = zip(lists, starts).map { $1 + Int($0.lengths[column]) }
                let arrays = lists.indices.map { lists[$0].bytes[starts[$0]..<ends[$0]] }
                let start = bytes.count
                PostgresArray.join(arrays, into: &bytes)
                lengths.append(Int32(bytes.count - start))
                starts = ends
            }
        }

        private mutating func append(
            typeID: UInt32, encode: (inout [UInt8]) throws(PostgresValueError) -> Bool
        ) throws(PostgresValueError) {
            guard count < Self.countLimit else { throw .tooManyParameters }
            let start = bytes.count
            do throws(PostgresValueError) {
                let hasValue = try encode(&bytes)
                let length = bytes.count - start
                // The server's limit for a message, and so for all values together.
                guard bytes.count < Self.byteLimit else { throw PostgresValueError.tooLarge }
                lengths.append(hasValue ? Int32(length) : -1)
                typeIDs.append(typeID)
            } catch {
                bytes.removeSubrange(start...)
                throw error
            }
        }

        /// The number is 16 bits wide in the protocol.
        private static let countLimit = 65_535

        /// A gigabyte, less the room for the parts of a message that are not values.
        private static let byteLimit = 0x3fff_ffff - 1_000_000
    }
#endif
