import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

@Suite("Words in memory and in an index")
struct WordSearchTests {
    /// A full-text index beside texts in a table of their own.
    private struct Words {
        let directory: TemporaryDirectory
        let connection: SQLiteConnection
        let index = TextIndexSchema(tableName: "ZPOST", columnName: "ZBODY")

        init() throws {
            directory = try TemporaryDirectory()
            connection = try directory.connection()
            try connection.permitIndexingTriggers()
            try connection.execute("CREATE TABLE ZPOST(Z_PK INTEGER PRIMARY KEY, ZBODY VARCHAR)")
            for statement in index.createStatements { try connection.execute(statement) }
        }

        func add(_ texts: some Sequence<(Int64, String)>) throws {
            try connection.transaction(.immediate) {
                for (key, text) in texts {
                    try connection.withStatement("INSERT INTO ZPOST(Z_PK, ZBODY) VALUES(?, ?)") { statement in
                        statement.bind(key, at: 1)
                        try statement.bind(text, at: 2)
                        try statement.run()
                    }
                }
            }
        }
    }

    /// All scalars of the planes with letters, and every 97th of the others, which are separators or for private use.
    private static let scalars = ((1...0x2FFFF).map { $0 } + Array(stride(from: 0x30000, through: 0x10FFFF, by: 97)))
        .compactMap { Unicode.Scalar(UInt32($0)) }

    @Test func `scalars are parts of words, or not, as the index has it`() throws {
        let words = try Words()
        // Some hundred in each text, for speed.
        let texts = stride(from: 0, to: Self.scalars.count, by: 256).map { start in
            Self.scalars[start..<min(start + 256, Self.scalars.count)].map { "x\($0)y \($0)" }.joined(separator: " ")
        }
        try words.add(zip(1..., texts))
        try words.connection.execute(
            """
            CREATE VIRTUAL TABLE temp.instances USING fts5vocab(main, "DATAMONK_WORDS$ZPOST$ZBODY", instance)
            """)
        let sql = "SELECT group_concat(term, ' ') FROM (SELECT term FROM terms WHERE doc = ? ORDER BY place)"
        try words.connection.execute("CREATE TEMP TABLE terms AS SELECT doc, \"offset\" AS place, term FROM instances")
        try words.connection.execute("CREATE INDEX temp.byDoc ON terms(doc, place)")
        for (key, text) in zip(Int64(1)..., texts) {
            let indexed = try words.connection.withStatement(sql) { statement in
                statement.bind(key, at: 1)
                return try statement.step() ? Array((statement.text(at: 0) ?? "").utf8) : []
            }
            let space = [UInt8(ascii: " ")]
            #expect(WordText(text).bytes == space + indexed + space, "the scalars from \((key - 1) * 256) on")
        }
    }

    private static let scraps = [
        "a", "b", "ab", "Swift", "swift", "É", "e\u{301}", "é", "straße", "STRASSE", "naïve", "ﬁ", "İ", "ı", "Σ", "ς",
        "σ", "Ж", "ж", "ё", "Ё", "日本", "語", "각", "\u{1100}\u{1161}\u{11A8}", "हिन्दी", "ไทย", "ا", "أ", "\u{10400}",
        "\u{10428}", "1", "٣", "½", "²", "_", "-", "'", "\"", "*", ".", "\n", " ", "  ", "\u{A0}", "\u{301}", "\u{345}",
        "\u{200D}", "\u{1F600}", "\0", "\u{FFFD}", "\u{E000}", "AND", "OR", "NOT", "NEAR", "(", ")", ":", "^", "+", "%",
    ]

    private static func text(_ count: Int, using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...count, using: &generator))
            .map { _ in scraps.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test func `random words are found in random texts as in memory`() throws {
        let words = try Words()
        var generator = SeededGenerator(seed: 7)
        let texts = (1...200).map { (Int64($0), Self.text(12, using: &generator)) }
        try words.add(texts)
        let prepared = texts.map { ($0.0, WordText($0.1)) }
        let model = try ManagedObjectModel(entities: [
            EntityDescription("Post") { AttributeDescription("body", .string, hasTextIndex: true) }
        ])
        let compiler = QueryCompiler(schema: try StoreSchema(model: model), storeIndex: 0)
        var found = 0
        for _ in 0..<5_000 {
            let asked = Self.text(5, using: &generator)
            var request = FetchRequest(entityName: "Post")
            request.condition = .compare("body", .containsWords, .string(asked))
            let query = try compiler.keys(ResolvedFetch(request, model: model))
            let keys = try words.connection.withStatement(query.sql) { statement in
                try statement.bind(query.bindings)
                return try statement.rows { $0.int64(at: 0) }.sorted()
            }
            let wanted = WordQuery(asked)
            let expected = prepared.filter { wanted.matches($0.1) }.map(\.0)
            #expect(keys == expected, "\(asked.unicodeScalars.map { String($0.value, radix: 16) })")
            found += expected.count
        }
        #expect(found > 5_000)
        try words.connection.execute(words.index.checkStatement)
    }

    @Test(arguments: [
        ("swift actor", "Actors in SWIFT: an actor", true), ("swift actor", "Actors in Swift", false),
        ("act*", "The Actor", true), ("\"new york\"", "New, York!", true), ("\"new york\"", "York New", false),
        ("\"new yo\"*", "new yorkers", true), ("\"new york", "new york", true), ("e-mail", "E mail", true),
        ("cafe", "Café", true), ("CAFÉ*", "cafeteria", true), ("", "anything", false), ("*", "anything", false),
        ("\"\" -- !", "anything", false), ("a AND b", "a b", false), ("a AND b", "b and a", true),
        ("body:x", "body x", true), ("x) OR (y", "x or y", true), ("x\"y\"z", "z y x", true), ("sw*ft", "sw ft", true),
    ])
    func `words, beginnings and phrases`(words: String, text: String, isFound: Bool) {
        #expect(WordQuery(words).matches(WordText(text)) == isFound)
    }

    @Test func `long words and many words`() throws {
        let words = try Words()
        let long = String(repeating: "a", count: 40_000)
        let many = (0..<3_000).map { "w\($0)" }.joined(separator: " ")
        let texts: [(Int64, String)] = [(1, long), (2, many)]
        try words.add(texts)
        try words.connection.execute(words.index.checkStatement)
        #expect(WordQuery(long).matches(WordText(long + "b")))
        #expect(WordQuery(many).matches(WordText(many)) && !WordQuery(many + " x").matches(WordText(many)))
    }

    // MARK: Conditions

    private static func condition(_ depth: Int, using generator: inout SeededGenerator) -> Condition {
        let inner = { (generator: inout SeededGenerator) in condition(depth - 1, using: &generator) }
        switch depth == 0 ? 4 : Int.random(in: 0..<8, using: &generator) {
        case 0: return .and((0..<2).map { _ in inner(&generator) })
        case 1: return .or((0..<2).map { _ in inner(&generator) })
        case 2, 3: return .not(inner(&generator))
        default:
            let (path, isMany) =
                [
                    ("name", false), ("location", false), ("friend.location", false), ("department.title", false),
                    ("entity", false), ("friends.location", true), ("teams.title", true), ("mentors.location", true),
                    ("friends.department.title", true), ("queuedAt.queue.location", true),
                ].randomElement(using: &generator) ?? ("name", false)
            let words = (0...1).map { _ in
                let text = QueryValues.texts.randomElement(using: &generator) ?? ""
                return text + (["", "*", "\""].randomElement(using: &generator) ?? "")
            }
            let modifier: Condition.Comparison.Modifier =
                isMany ? [.any, .all, .none].randomElement(using: &generator) ?? .any : .direct
            let text = words.prefix(Int.random(in: 1...2, using: &generator)).joined(separator: " ")
            return .comparison(
                .init(.keyPath(path), .containsWords, .value(.string(text)), modifier: modifier))
        }
    }

    @Test func `random conditions choose the same objects`() throws {
        var generator = SeededGenerator(seed: 3)
        let graph = try QueryGraph(people: 24, using: &generator)
        let database = try QueryDatabase(graph)
        let people = graph.objects(of: try #require(graph.model.entitiesByName["Person"]))
        var (found, indexed) = (0, 0)
        for _ in 0..<5_000 {
            var request = FetchRequest(entityName: Bool.random(using: &generator) ? "Person" : "Monk")
            request.condition = Self.condition(3, using: &generator)
            let fetch = try ResolvedFetch(request, model: graph.model)
            let expected = try people.filter { try fetch.includes($0.entity) && fetch.matches($0) }
                .map(\.objectKey.primaryKey).sorted()
            #expect(try database.keys(fetch).sorted() == expected, "\(request)")
            found += expected.count
            if try database.compiler.keys(fetch).sql.contains(" MATCH ") { indexed += 1 }
        }
        #expect(found > 5_000 && indexed > 2_000)
    }
}
