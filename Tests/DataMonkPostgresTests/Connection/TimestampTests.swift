#if Postgres
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// `Date` and `timestamptz`.
    @Suite struct TimestampTests {
        private let connection: PostgresConnection

        init() throws { connection = try PostgresServer.shared.get().connect() }

        @Test func `the server sees the same moment, to the microsecond`() throws {
            var generator = SeededGenerator(seed: testSeed)
            let microseconds = (0..<2_000 * testEffort).map { _ in
                Int64.random(in: -7_000_000_000_000_000...7_000_000_000_000_000, using: &generator)
            }
            // From the reference date, which `Date` counts from: each further addition would round.
            let dates = microseconds.map { microseconds in
                let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
                return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(rest) / 1_000_000)
            }
            var parameters = PostgresParameters()
            try parameters.append(array: dates)
            let sql = """
                SELECT v, (extract(epoch FROM v - '2001-01-01 00:00:00+00') * 1000000)::int8
                FROM unnest($1) WITH ORDINALITY AS u (v, n) ORDER BY n
                """
            let result = try connection.run(PostgresStatement(sql, parameters), until: farDeadline)
            for (row, date) in dates.enumerated() {
                #expect(try result.value(Date.self, row: row, column: 0) == date.roundedForPostgres())
                #expect(
                    try result.value(Int64.self, row: row, column: 1) == microseconds[row], "seed \(testSeed)")
            }
        }

        @Test func `a date that was read is written back as the same`() throws {
            var generator = SeededGenerator(seed: testSeed)
            for _ in 0..<20_000 * testEffort {
                let date = Date(timeIntervalSinceReferenceDate: .random(in: -2e11...9e12, using: &generator))
                let read = try date.roundedForPostgres()
                #expect(try read.roundedForPostgres() == read)
                #expect(abs(read.timeIntervalSince(date)) <= max(0.000_000_6, date.timeIntervalSinceReferenceDate.ulp))
            }
        }

        @Test func `ties go to the even microsecond`() throws {
            // A power of two is a fraction that Double represents exactly.
            let date = Date(timeIntervalSinceReferenceDate: 0.007_812_5)
            #expect(try date.roundedForPostgres() == Date(timeIntervalSinceReferenceDate: 0.007_812))
            let later = Date(timeIntervalSinceReferenceDate: 0.023_437_5)
            #expect(try later.roundedForPostgres() == Date(timeIntervalSinceReferenceDate: 0.023_438))
        }

        @Test func `the first and the last moment`() throws {
            let sql = """
                SELECT '4714-11-24 00:00:00+00 BC'::timestamptz, '294276-12-31 23:59:59+00'::timestamptz,
                    '2000-01-01 00:00:00+00'::timestamptz, 'infinity'::timestamptz, '-infinity'::timestamptz
                """
            let result = try connection.run(PostgresStatement(sql), until: farDeadline)
            for column in 0..<3 {
                let date: Date = try result.required(row: 0, column: column)
                var parameters = PostgresParameters()
                try parameters.append(date)
                let names = ["4714-11-24 00:00:00+00 BC", "294276-12-31 23:59:59+00", "2000-01-01 00:00:00+00"]
                let same = try connection.run(
                    PostgresStatement("SELECT $1 = '\(names[column])'::timestamptz", parameters), until: farDeadline)
                #expect(try same.value(Bool.self, row: 0, column: 0) == true)
            }
            for column in 3..<5 {
                #expect(throws: PostgresValueError.infinity) { try result.value(Date.self, row: 0, column: column) }
            }
        }

        @Test func `dates that PostgreSQL cannot represent are errors`() {
            let first = Date(timeIntervalSinceReferenceDate: -211_813_488_000 - 366 * 86_400)
            let end = Date(timeIntervalSinceReferenceDate: 9_223_371_331_200 - 366 * 86_400)
            #expect(throws: Never.self) { try first.roundedForPostgres() }
            #expect(throws: Never.self) { try end.addingTimeInterval(-1).roundedForPostgres() }
            for interval in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e13, -1e13, -0x1p63, 0x1p63] {
                #expect(throws: PostgresValueError.dateOutOfRange) {
                    try Date(timeIntervalSinceReferenceDate: interval).roundedForPostgres()
                }
            }
            for date in [first.addingTimeInterval(-1), end, .distantFuture.addingTimeInterval(1e13)] {
                #expect(throws: PostgresValueError.dateOutOfRange) { try date.roundedForPostgres() }
            }
        }
    }
#endif
