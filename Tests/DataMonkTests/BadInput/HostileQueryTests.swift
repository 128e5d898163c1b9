#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Queries that somebody made to do harm: each is a typed error or the right answer, in every place and store.
    @Suite struct `Hostile queries` {
        private static let texts = [
            "'", "\"", "';--", "x'; DROP TABLE ZEMPLOYEE; --", "\" OR 1 = 1 --", ") OR (1 = 1", "\0", "a\0b",
            "\u{1}\u{1B}[2J",
            "\n\r\t", "%", "_", "\\", "\\'", "*", "?", "[", "]]>", "${x}", "%@", "%K == %K", "$x", "@count",
            "name; age", "`name`",
            "[name]", "\u{202E}eman", "\u{FEFF}", "\u{301}", "\u{1F469}\u{200D}\u{1F680}", "\u{10FFFF}", "ＮＡＭＥ", "",
            " ", ".",
            "..", "name.", ".name", "self.self", "Z_PK", "ZNAME", "t0.ZNAME", "sqlite_master", "rowid", "name\u{0}",
        ]

        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
            try context.employee("Monk").note = "n"
            try context.save()
        }

        /// The employees of a request, in the store and in memory; both are the same, or both refuse it.
        private func answer(_ change: (inout FetchRequest) throws -> Void) throws -> Int? {
            var request = FetchRequest(entityName: "Employee")
            try change(&request)
            return try outcome { try context.count(request) }
        }

        private func outcome<Value>(_ body: () throws -> Value) throws -> Value? {
            do { return try body() } catch is FetchError { return nil }
        }

        @Test(arguments: texts) func `a key is in the model or refused, wherever it stands`(text: String) throws {
            #expect(try answer { $0.condition = .compare(text, .equal, "x") } == nil)
            #expect(try answer { $0.condition = .compare("department.\(text)", .equal, "x") } ?? 0 == 0)
            #expect(try answer { $0.condition = .compare("friends.@sum.\(text)", .equal, 1) } == nil)
            #expect(try answer { $0.condition = .compare(text, .isIn, ["x"], modifier: .any) } == nil)
            #expect(try answer { $0.condition = try Condition(format: "%K == %@", text, "x") } == nil)
            #expect(try answer { $0.entityName = text } == nil)
            func fetch(_ change: (inout FetchRequest) -> Void) throws -> Int? {
                var request = FetchRequest(entityName: "Employee")
                change(&request)
                return try outcome { try context.fetch(request).count }
            }
            let isSelf = text == "self.self"
            #expect(try fetch { $0.sortTerms = [SortTerm(text)] } == nil)
            #expect(try fetch { $0.relationshipKeyPathsForPrefetching = [text] } == nil)
            func rows(_ change: (inout FetchRequest) -> Void) throws -> Int? {
                var request = FetchRequest(entityName: "Employee")
                request.resultType = .dictionaries
                request.propertiesToFetch = [.init(.count, of: "name", alias: text)]
                change(&request)
                return try outcome { try context.values(request).count }
            }
            // Any text may be a column's name.
            #expect(try rows { _ in } == 1)
            let isColumn = isSelf || text == "@count"
            #expect(try rows { $0.propertiesToFetch = [.init(text)] } == (isColumn ? 1 : nil))
            #expect(try rows { $0.propertiesToGroupBy = [text] } == (isSelf ? 1 : nil))
            #expect(try context.count(FetchRequest(entityName: "Employee")) == 1)
        }

        @Test(arguments: texts) func `a value is a value, whatever it says`(text: String) throws {
            let employee = try context.employee(text)
            try context.save()
            let formats = [
                "name == %@", "name IN {%@}", "name == %@ AND name == name", "uppercase:(name) == uppercase:(%@)",
                "SUBQUERY(friends, $f, $f.name == %@).@count == 0 AND name == 'Monk'", "%@ == name",
                "name <= %@ AND name >= %@",
                "name LIKE %@ OR name == %@", "name ==[cd] %@",
            ]
            for format in formats {
                let count = format.components(separatedBy: "%@").count - 1
                let condition = try Condition(format: format, arguments: Array(repeating: .string(text), count: count))
                let request = FetchRequest(entityName: "Employee", condition: condition)
                let inStore = try context.fetch(request).count
                let all = try context.fetch(FetchRequest(entityName: "Employee"))
                #expect(try all.filtered(using: condition).count == inStore, "\(format)")
                #expect(inStore >= 1, "\(format)")
            }
            context.delete(employee)
            try context.save()
        }

        @Test(
            arguments: [
                ("%@ == %@", ["name"]), ("name == %d", ["1; DROP TABLE ZEMPLOYEE"]), ("%K == 1", [.null]),
                ("%K == 1", [["a"]]),
                ("name == %@ %@", ["a", "b"]), ("name == %", []), ("name == %n", ["x"]), ("name == %s", [.null]),
                ("%@", ["name == 'x'"]), ("name == 'x' ; DROP TABLE ZEMPLOYEE", []),
                ("name == /* x */ 'x'", []), ("name == 'x", []),
                ("FUNCTION('x', 'stringByExpandingTildeInPath') == 'x'", []),
                ("FUNCTION(SELF, 'valueForKey:', 'name') == 'x'", []), ("CAST('x', 'NSObject') == 1", []),
                ("(name) == 'x')", []),
                ("name == \0", []), ("\u{FEFF}name == 'x'", []), ("name = = 'x'", []), ("%K", ["name"]),
                ("TRUEPREDICATE TRUEPREDICATE", []),
            ] as [(String, [ManagedValue])])
        func `a format that says nothing is refused`(format: String, arguments: [ManagedValue]) {
            let error = #expect(throws: FetchError.self) { try Condition(format: format, arguments: arguments) }
            #expect(error?.code == .invalidFormat)
        }

        @Test(arguments: [
            ("(a+)+b", String(repeating: "a", count: 5_000)), ("(a|aa)+$", String(repeating: "a", count: 5_000) + "b"),
            ("(.*)*x", String(repeating: "y", count: 50_000)),
            ("(?:a?){500}a{500}", String(repeating: "a", count: 400)),
            ("((a{1,100}){1,100}){1,100}", String(repeating: "a", count: 3_000) + "!"), ("\\", "x"), ("[", "x"),
            ("(?<n>x)\\k<m>", "x"),
            (String(repeating: "(", count: 10_000) + String(repeating: ")", count: 10_000), ""),
            (String(repeating: "a?", count: 20_000), String(repeating: "a", count: 20_000)),
            ("(?#" + String(repeating: "x", count: 100_000) + ")", ""),
        ])
        func `a regular expression that explodes is refused or answered`(pattern: String, text: String) throws {
            try expectAnswer(.compare("name", .matches, .string(pattern)), of: text)
            try expectAnswer(.compare("name", .matches, .string(pattern), options: .caseInsensitive), of: text)
        }

        @Test(arguments: [
            ("*a*a*a*a*a*a*a*a*b", String(repeating: "a", count: 100_000)),
            ("*" + String(repeating: "a", count: 1_000) + "b*", String(repeating: "a", count: 100_000)),
            (String(repeating: "*?", count: 5_000), String(repeating: "é", count: 5_000)),
            (String(repeating: "*", count: 100_000), "x"),
            ("\\", "\\"), (String(repeating: "\\", count: 9_999), "x"),
            ("*" + String(repeating: "?", count: 1_000) + "b", String(repeating: "a", count: 100_000)),
        ])
        func `a pattern of LIKE that explodes is refused or answered`(pattern: String, text: String) throws {
            try expectAnswer(.compare("name", .like, .string(pattern)), of: text)
            try expectAnswer(.compare("name", .like, .string(pattern), options: [.caseInsensitive]), of: text)
        }

        @Test func `a long part of a long text is looked for once`() throws {
            let text = String(repeating: "a", count: 1_000_000)
            let part = String(repeating: "a", count: 10_000) + "b"
            try expectAnswer(.compare("name", .contains, .string(part)), of: text + "b")
            try expectAnswer(.compare("name", .contains, .string(part), options: .caseInsensitive), of: text)
        }

        /// The same answer in the store and in memory, or the same refusal.
        private func expectAnswer(_ condition: Condition, of text: String) throws {
            let employee = try context.employee(text)
            try context.save()
            let request = FetchRequest(
                entityName: "Employee", condition: .and([.compare("age", .equal, 0), condition]))
            let inMemory = try outcome { try condition.evaluate(with: employee) }
            let inStore = try outcome { try context.fetch(request).contains { $0 === employee } }
            #expect(inMemory == inStore)
        }

        @Test func `long chains are flat, however they are made`() throws {
            var query: Query = %"age" == 0
            for _ in 0..<10_000 { query = query && %"name" != "nobody" }
            #expect(try context.count(FetchRequest(entityName: "Employee", condition: query.condition)) == 1)
            #expect(try query.evaluate(with: try #require(try context.all(Office.Employee.self).first)))
            #expect(query.condition.format.utf8.count > 200_000)
            let read = try Condition(format: query.condition.format.replacing("\"", with: "'"))
            #expect(read == query.condition)
        }
    }
#endif
