#if Postgres
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// `Decimal` and `numeric`.
    @Suite struct NumericTests {
        private let connection: PostgresConnection

        init() throws { connection = try PostgresServer.shared.get().connect() }

        /// Returns the decimal for what the server makes of a text.
        private func read(_ text: String) throws -> Decimal {
            let result = try connection.run(
                PostgresStatement("SELECT $1::text::numeric", values: text), until: farDeadline)
            return try result.required(Decimal.self, row: 0, column: 0)
        }

        @Test func `decimals come back, and the server sees the same digits`() throws {
            var generator = SeededGenerator(seed: testSeed)
            var values: [Decimal] = [0, 1, -1, 10_000, 9_999, .greatestFiniteMagnitude, -.greatestFiniteMagnitude]
            values += [.leastNonzeroMagnitude, Decimal(sign: .minus, exponent: -128, significand: 1), .pi]
            for _ in 0..<3_000 * testEffort {
                let digits = (0..<Int.random(in: 0...37, using: &generator)).map { _ in
                    String(Int.random(in: 0...9, using: &generator))
                }
                // Without a zero at the end, which would become a part of the exponent.
                let significand = try #require(Decimal(string: digits.joined() + "7"))
                let exponent = Int.random(in: -128...127, using: &generator)
                values.append(
                    Decimal(
                        sign: Bool.random(using: &generator) ? .minus : .plus, exponent: exponent,
                        significand: significand)
                )
            }
            var parameters = PostgresParameters()
            try parameters.append(array: values)
            let sql = "SELECT v, trim_scale(v)::text FROM unnest($1) WITH ORDINALITY AS u (v, n) ORDER BY n"
            let result = try connection.run(PostgresStatement(sql, parameters), until: farDeadline)
            for (row, value) in values.enumerated() {
                let read = try result.required(Decimal.self, row: row, column: 0)
                #expect(read == value, "seed \(testSeed)")
                #expect(read.description == value.description, "seed \(testSeed)")
                let text = try result.required(String.self, row: row, column: 1)
                #expect(Self.canonical(value.description) == Self.canonical(text), "seed \(testSeed)")
            }
        }

        /// Returns digits without superfluous zeros.
        private static func canonical(_ text: String) -> String {
            guard text.contains(".") else { return text == "-0" ? "0" : text }
            var text = text
            while text.last == "0" { text.removeLast() }
            return text.last == "." ? String(text.dropLast()) : text
        }

        @Test func `numerics of the server are read exactly or refused`() throws {
            let largest = "340282366920938463463374607431768211455"
            #expect(try read(largest).description == largest)
            #expect(try read("0." + largest).description == "0." + largest)
            #expect(try read("-0").description == "0")
            #expect(try read("1.10") == Decimal(string: "1.1"))
            #expect(
                try read("1" + String(repeating: "0", count: 127))
                    == Decimal(sign: .plus, exponent: 127, significand: 1))
            #expect(
                try read("0." + String(repeating: "0", count: 127) + "1")
                    == Decimal(sign: .plus, exponent: -128, significand: 1))
            #expect(try read("5." + String(repeating: "0", count: 1_000)) == 5)
            for text in [
                "340282366920938463463374607431768211456", "0." + String(repeating: "0", count: 128) + "1",
                "4" + String(repeating: "0", count: 128), "9" + String(repeating: "0", count: 131_071),
                "1." + String(repeating: "0", count: 38) + "1",
            ] {
                #expect(throws: PostgresValueError.numericOutOfRange) { try read(text) }
            }
        }

        @Test func `random numerics of the server are read exactly or refused`() throws {
            var generator = SeededGenerator(seed: testSeed)
            for _ in 0..<300 * testEffort {
                let whole = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    "\(Int.random(in: 0...9, using: &generator))"
                }
                let part = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                    "\(Int.random(in: 0...9, using: &generator))"
                }
                let text = "1" + whole.joined() + "." + part.joined()
                do {
                    #expect(Self.canonical(try read(text).description) == Self.canonical(text))
                } catch PostgresValueError.numericOutOfRange {
                    #expect(text.count > 38)
                }
            }
        }

        @Test func `NaN and the infinities are errors`() throws {
            #expect(throws: PostgresValueError.notANumber) { try read("NaN") }
            #expect(throws: PostgresValueError.infinity) { try read("Infinity") }
            #expect(throws: PostgresValueError.infinity) { try read("-Infinity") }
            var parameters = PostgresParameters()
            #expect(throws: PostgresValueError.notANumber) { try parameters.append(Decimal.nan) }
        }
    }
#endif
