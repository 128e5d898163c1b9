#if Postgres
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Values there and back through a server.
    @Suite struct PostgresValueTests {
        private let connection: PostgresConnection

        init() throws { connection = try PostgresServer.shared.get().connect() }

        /// Returns what comes back for each value, and the server's own text for it.
        private func echo<Value: PostgresValue>(_ values: [Value]) throws -> [(value: Value, text: String)] {
            let type = Value.postgresType.name
            var parameters = PostgresParameters()
            try parameters.append(array: values)
            let sql = "SELECT value, value::text FROM unnest($1::\(type)[]) WITH ORDINALITY AS v (value, n) ORDER BY n"
            let result = try connection.run(PostgresStatement(sql, parameters), until: farDeadline)
            try #require(result.rowCount == values.count)
            return try (0..<result.rowCount).map { row in
                (
                    try result.required(Value.self, row: row, column: 0),
                    try result.required(String.self, row: row, column: 1)
                )
            }
        }

        private func expectEcho<Value: PostgresValue & Equatable>(_ values: [Value], text: (Value) -> String?) throws {
            for (value, echo) in zip(values, try echo(values)) {
                #expect(echo.value == value)
                if let text = text(value) { #expect(echo.text == text) }
            }
        }

        private func expectIntegers<Value: PostgresValue & FixedWidthInteger>(_ type: Value.Type) throws {
            var generator = SeededGenerator(seed: testSeed)
            let random = (0..<1_000).map { _ in Value.random(in: .min ... .max, using: &generator) }
            try expectEcho([.min, .max, 0, 1, -1] + random) { "\($0)" }
        }

        @Test func `integers come back`() throws {
            try expectIntegers(Int16.self)
            try expectIntegers(Int32.self)
            try expectIntegers(Int64.self)
        }

        @Test func `floating-point numbers, bit by bit`() throws {
            var generator = SeededGenerator(seed: testSeed)
            var doubles: [Double] = [
                0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
            ]
            doubles += (0..<1_000).map { _ in Double(bitPattern: .random(in: 0 ... .max, using: &generator)) }
            for (value, echo) in zip(doubles, try echo(doubles)) {
                #expect(echo.value.bitPattern == value.bitPattern || value.isNaN && echo.value.isNaN)
            }
            var floats: [Float] = [
                0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
            ]
            floats += (0..<1_000).map { _ in Float(bitPattern: .random(in: 0 ... .max, using: &generator)) }
            for (value, echo) in zip(floats, try echo(floats)) {
                #expect(echo.value.bitPattern == value.bitPattern || value.isNaN && echo.value.isNaN)
            }
        }

        @Test func `Booleans and UUIDs come back`() throws {
            try expectEcho([true, false]) { "\($0)" }
            let zero = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
            try expectEcho([zero] + (0..<1_000).map { _ in UUID() }) { $0.uuidString.lowercased() }
        }

        @Test func `text comes back`() throws {
            var generator = SeededGenerator(seed: testSeed)
            let random = (0..<1_000).map { _ in
                String(
                    String.UnicodeScalarView(
                        (0..<20).compactMap { _ in
                            Unicode.Scalar(UInt32.random(in: 1...0x10ffff, using: &generator))
                        }))
            }
            let texts = [
                "", " ", "\\", "{NULL,\"}", "a\u{301}", "á", "\u{10ffff}", String(repeating: "ä", count: 100_000),
            ]
            // By their bytes, because Swift's equality ignores the normal form.
            for (text, echo) in zip(texts + random, try echo(texts + random)) {
                #expect(Array(echo.value.utf8) == Array(text.utf8) && Array(echo.text.utf8) == Array(text.utf8))
            }
            var parameters = PostgresParameters()
            #expect(throws: PostgresValueError.nulCharacter) { try parameters.append("a\u{0}b") }
            #expect(throws: PostgresValueError.nulCharacter) { try parameters.append(array: ["a", "\u{0}"]) }
            #expect(parameters.count == 0 && parameters.bytes.isEmpty)
        }

        @Test func `binary data comes back`() throws {
            var generator = SeededGenerator(seed: testSeed)
            let random = (0..<300).map { count in
                Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
            }
            try expectEcho(random) { "\\x" + $0.map { String(format: "%02x", $0) }.joined() }
        }

        @Test func `64 MB of binary data come back`() throws {
            var generator = SeededGenerator(seed: testSeed)
            let piece = Data((0..<100_003).map { _ in UInt8.random(in: 0...255, using: &generator) })
            var data = Data()
            while data.count < 64 << 20 { data += piece }
            data = data.prefix(64 << 20)
            let result = try connection.run(
                PostgresStatement("SELECT $1, length($1)", values: data), until: farDeadline)
            #expect(try result.value(Int32.self, row: 0, column: 1) == 64 << 20)
            #expect(try result.value(Data.self, row: 0, column: 0) == data)
        }

        @Test func `NULL of every type`() throws {
            let statement = try PostgresStatement(
                "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11", values: Int16?.none, Int32?.none, Int64?.none,
                Float?.none,
                Double?.none, Bool?.none, UUID?.none, Data?.none, String?.none, Decimal?.none, Date?.none)
            let result = try connection.run(statement, until: farDeadline)
            #expect(try result.value(Int16.self, row: 0, column: 0) == nil)
            #expect(try result.value(Data.self, row: 0, column: 7) == nil)
            #expect(try result.value(Date.self, row: 0, column: 10) == nil)
            #expect(throws: PostgresValueError.unexpectedNull) { try result.required(Bool.self, row: 0, column: 5) }
        }

        @Test func `arrays with NULL, and empty ones`() throws {
            let arrays: [[String?]] = [[], [nil], ["a", nil, ""], Array(repeating: "x", count: 10_000)]
            for array in arrays {
                var parameters = PostgresParameters()
                try parameters.append(array: array)
                let result = try connection.run(
                    PostgresStatement("SELECT $1, cardinality($1)", parameters), until: farDeadline)
                #expect(try result.array(of: String.self, row: 0, column: 0) == array)
                #expect(try result.value(Int32.self, row: 0, column: 1) == Int32(array.count))
            }
            let result = try connection.run(
                PostgresStatement("SELECT '{{1,2},{3,4}}'::int4[], '{1}'::int8[], NULL::int4[]"), until: farDeadline)
            #expect(throws: PostgresValueError.unsupportedDimensions) {
                try result.array(of: Int32.self, row: 0, column: 0)
            }
            #expect(throws: PostgresValueError.unexpectedType(expected: "integer", found: 20)) {
                try result.array(of: Int32.self, row: 0, column: 1)
            }
            #expect(try result.array(of: Int32.self, row: 0, column: 2) == nil)
        }

        @Test func `arrays of several statements as one`() throws {
            let lists: [([Int64?], [String?])] = [
                ([1], ["a"]), ([2, nil], [nil, ""]), ([.max, .min], ["é", String(repeating: "x", count: 1_000)]),
            ]
            for count in 1...lists.count {
                let joined = PostgresParameters(
                    joining: try lists.prefix(count).map { numbers, texts in
                        var parameters = PostgresParameters()
                        try parameters.append(array: numbers)
                        try parameters.append(array: texts)
                        return parameters
                    })
                let result = try connection.run(PostgresStatement("SELECT $1, $2", joined), until: farDeadline)
                let (numbers, texts) = (lists.prefix(count).flatMap(\.0), lists.prefix(count).flatMap(\.1))
                #expect(try result.array(of: Int64.self, row: 0, column: 0) == numbers)
                #expect(try result.array(of: String.self, row: 0, column: 1) == texts)
            }
        }

        @Test func `a column of another type is an error`() throws {
            let result = try connection.run(PostgresStatement("SELECT 1::int8"), until: farDeadline)
            #expect(throws: PostgresValueError.unexpectedType(expected: "integer", found: 20)) {
                try result.value(Int32.self, row: 0, column: 0)
            }
        }

        @Test func `damaged bytes are errors, never traps`() {
            var generator = SeededGenerator(seed: testSeed)
            func decode<Value: PostgresValue>(_ type: Value.Type, _ bytes: [UInt8]) {
                bytes.withUnsafeBytes { bytes in
                    _ = try? Value(postgresBytes: bytes)
                    _ = try? PostgresArray.decode(bytes, as: Value.self)
                }
            }
            for _ in 0..<20_000 * testEffort {
                var bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                // Mostly small numbers, as in counts and lengths.
                for index in bytes.indices where Bool.random(using: &generator) {
                    bytes[index] = index % 4 == 3 ? 1 : 0
                }
                decode(Int16.self, bytes)
                decode(Int64.self, bytes)
                decode(Double.self, bytes)
                decode(Bool.self, bytes)
                decode(UUID.self, bytes)
                decode(String.self, bytes)
                decode(Decimal.self, bytes)
                decode(Date.self, bytes)
            }
        }
    }
#endif
