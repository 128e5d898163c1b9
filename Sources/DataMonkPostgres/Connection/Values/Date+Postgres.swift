#if Postgres
    package import Foundation

    // timestamptz: a signed number of microseconds since the beginning of the year 2000, UTC. The smallest and largest
    // numbers are the infinities.

    /// A date is rounded to the nearest microsecond, from a tie to the even one.
    ///
    /// The dates that the server sends are as close as `Date` can be: it has microseconds from 1729 to 2273, and fewer
    /// digits beyond. A date that was read is written back as the same `Date`; see
    /// ``Foundation/Date/roundedForPostgres()``.
    extension Date: PostgresValue {
        package static var postgresType: PostgresType { .timestamptz }

        package func encode(into bytes: inout [UInt8]) throws(PostgresValueError) {
            bytes.append(bigEndian: try postgresMicroseconds())
        }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard bytes.count == 8, let microseconds = bytes.bigEndian(Int64.self) else {
                throw .malformed(type: Self.postgresType.name)
            }
            if microseconds == .max || microseconds == .min { throw .infinity }
            guard Self.postgresRange.contains(microseconds) else { throw .malformed(type: Self.postgresType.name) }
            self.init(postgresMicroseconds: microseconds)
        }

        /// Returns the date that is read after this one was written.
        ///
        /// Throws ``PostgresValueError/dateOutOfRange`` for a date that PostgreSQL cannot represent.
        package func roundedForPostgres() throws(PostgresValueError) -> Date {
            Date(postgresMicroseconds: try postgresMicroseconds())
        }

        /// From the beginning of November 24, 4714 BC, which is day 0 of the Julian calendar, to the end of the year
        /// 294276.
        private static let postgresRange: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

        /// The seconds from the beginning of the year 2000 to `Date`'s reference, the beginning of 2001.
        private static let secondsToReference: Int64 = 366 * 86_400

        private init(postgresMicroseconds microseconds: Int64) {
            let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            self.init(
                timeIntervalSinceReferenceDate: Double(seconds - Self.secondsToReference) + Double(rest) / 1_000_000)
        }

        private func postgresMicroseconds() throws(PostgresValueError) -> Int64 {
            let interval = timeIntervalSinceReferenceDate
            // Seconds and their fraction apart: both are exact, so the date is rounded once.
            let seconds = interval.rounded(.down)
            // By the magnitude: the smallest Int64 has no absolute value.
            guard let whole = Int64(exactly: seconds), whole.magnitude < 10_000_000_000_000 else {
                throw .dateOutOfRange
            }
            let fraction = Int64(((interval - seconds) * 1_000_000).rounded(.toNearestOrEven))
            let (microseconds, overflow) = (whole + Self.secondsToReference).multipliedReportingOverflow(by: 1_000_000)
            guard !overflow, case let (sum, false) = microseconds.addingReportingOverflow(fraction),
                Self.postgresRange.contains(sum)
            else { throw .dateOutOfRange }
            return sum
        }
    }
#endif
