#if Postgres
    /// **Value.** A type of PostgreSQL's, by its fixed numbers in `pg_type`.
    package struct PostgresType: Sendable, Hashable {
        /// The name in SQL.
        package let name: String
        /// The number of the type.
        package let id: UInt32
        /// The number of the type of its arrays.
        package let arrayID: UInt32
        /// The numbers of further types whose values have the same bytes, and the numbers of their arrays.
        private let alikeIDs: Set<UInt32>

        private init(_ name: String, _ id: UInt32, array arrayID: UInt32, alike: Set<UInt32> = []) {
            self.name = name
            self.id = id
            self.arrayID = arrayID
            alikeIDs = alike
        }

        /// Returns whether the values of the type with this number can be read as this type.
        package func accepts(_ id: UInt32) -> Bool { id == self.id || alikeIDs.contains(id) }

        /// 16-bit integers.
        package static let int2 = PostgresType("smallint", 21, array: 1005)
        /// 32-bit integers.
        package static let int4 = PostgresType("integer", 23, array: 1007)
        /// 64-bit integers.
        package static let int8 = PostgresType("bigint", 20, array: 1016)
        /// Floating-point numbers of single precision.
        package static let float4 = PostgresType("real", 700, array: 1021)
        /// Floating-point numbers of double precision.
        package static let float8 = PostgresType("double precision", 701, array: 1022)
        /// Truth values.
        package static let bool = PostgresType("boolean", 16, array: 1000)
        /// Universally unique identifiers.
        package static let uuid = PostgresType("uuid", 2950, array: 2951)
        /// Binary data.
        package static let bytea = PostgresType("bytea", 17, array: 1001)
        /// Reads `name`, `varchar`, `bpchar` and constants without a type too.
        package static let text = PostgresType("text", 25, array: 1009, alike: [19, 1043, 1042, 705])
        /// Decimal numbers.
        package static let numeric = PostgresType("numeric", 1700, array: 1231)
        /// Moments in time, in microseconds.
        package static let timestamptz = PostgresType("timestamp with time zone", 1184, array: 1185)
    }
#endif
