import DataMonkCore
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

@Suite("Conditions to SQL")
struct QueryCompilerTests {
    let model: ManagedObjectModel
    let compiler: QueryCompiler
    let directory: ObjectDirectory

    init() throws {
        model = try QueryModel.make()
        compiler = QueryCompiler(schema: try StoreSchema(model: model), storeIndex: 0)
        directory = ObjectDirectory(model: model)
    }

    /// What stands behind WHERE for a condition on people, and the constants.
    private func filter(_ condition: Condition) throws -> (sql: String, bindings: [SQLBinding]) {
        let query = try count(condition)
        let prefix = "SELECT COUNT(*) FROM ZPERSON t0 WHERE "
        #expect(query.sql.hasPrefix(prefix))
        return (String(query.sql.dropFirst(prefix.count)), query.bindings)
    }

    private func count(_ condition: Condition, _ entity: String = "Person") throws -> SQLQuery {
        try compiler.count(ResolvedFetch(FetchRequest(entityName: entity, condition: condition), model: model))
    }

    private func id(_ entity: String, _ primaryKey: Int64, store: Int = 0) throws -> ManagedValue {
        let index = try #require(model.entitiesByName[entity]).index
        return .object(
            AnyObjectID(key: ObjectKey(store: store, entity: index, primaryKey: primaryKey), directory: directory))
    }

    @Test(arguments: [
        (Condition.Comparison.Operator.equal, "t0.ZAGE = ?"), (.notEqual, "t0.ZAGE IS NOT ?"),
        (.lessThan, "t0.ZAGE < ?"), (.lessThanOrEqual, "t0.ZAGE <= ?"), (.greaterThan, "t0.ZAGE > ?"),
        (.greaterThanOrEqual, "t0.ZAGE >= ?"),
    ])
    func `a value is bound, never written`(_ operation: Condition.Comparison.Operator, _ sql: String) throws {
        let filter = try filter(.compare("age", operation, 18))
        #expect(filter.sql == sql)
        #expect(filter.bindings == [.integer(18)])
    }

    @Test(arguments: [
        (Condition.Comparison.Operator.equal, "t0.ZAGE IS NULL"), (.notEqual, "t0.ZAGE IS NOT NULL"),
        (.lessThan, "0"), (.lessThanOrEqual, "t0.ZAGE IS NULL"), (.greaterThan, "0"),
        (.greaterThanOrEqual, "t0.ZAGE IS NULL"),
    ])
    func `nil is compared as in memory`(_ operation: Condition.Comparison.Operator, _ sql: String) throws {
        let filter = try filter(.compare("age", operation, nil))
        #expect(filter.sql == sql)
        #expect(filter.bindings.isEmpty)
    }

    @Test func `two keys compare with IS`() throws {
        let equal = Condition.comparison(.init(.keyPath("name"), .equal, .keyPath("location")))
        #expect(try filter(equal).sql == "t0.ZNAME IS t0.ZLOCATION")
        let notMore = Condition.comparison(.init(.keyPath("age"), .lessThanOrEqual, .keyPath("level")))
        #expect(
            try filter(notMore).sql
                == "(t0.ZAGE <= t0.ZLEVEL OR t0.ZAGE IS NULL AND t0.ZLEVEL IS NULL)")
    }

    @Test func `and, or and not nest`() throws {
        let grown = Condition.compare("age", .greaterThanOrEqual, 18)
        let here = Condition.compare("location", .equal, "Taipei")
        #expect(try filter(grown.and(here)).sql == "t0.ZAGE >= ? AND t0.ZLOCATION = ?")
        #expect(try filter(grown.or(here).and(here)).sql == "(t0.ZAGE >= ? OR t0.ZLOCATION = ?) AND t0.ZLOCATION = ?")
        #expect(try filter(grown.negated).sql == "(t0.ZAGE >= ?) IS NOT TRUE")
    }

    @Test func `a thousand terms do not nest a thousand deep`() throws {
        let terms = (0..<1_000).map { Condition.compare("age", .equal, .int($0)) }
        let sql = try filter(.or(terms)).sql
        var depth = 0
        var deepest = 0
        for character in sql {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            deepest = max(deepest, depth)
        }
        #expect(deepest <= 5)
        #expect(sql.components(separatedBy: " OR ").count == 1_000)
    }

    @Test func `lists are filled up to a power of two`() throws {
        let three = try filter(.compare("age", .isIn, [1, 2, 3]))
        #expect(three.sql == "t0.ZAGE IN (?, ?, ?, ?)")
        #expect(three.bindings == [.integer(1), .integer(2), .integer(3), .integer(3)])
        #expect(try filter(.compare("age", .isIn, [1, nil])).sql == "(t0.ZAGE IN (?) OR t0.ZAGE IS NULL)")
        #expect(try filter(.compare("age", .isIn, [])).sql == "0")
        #expect(try filter(.compare("age", .between, [1, 2])).sql == "t0.ZAGE BETWEEN ? AND ?")
    }

    @Test func `many whole numbers travel as one constant`() throws {
        let many = try filter(.compare("age", .isIn, .list((0..<1_000).map { .int($0) })))
        #expect(many.sql == "t0.ZAGE IN (SELECT value FROM json_each(?))")
        #expect(many.bindings.count == 1)
        let texts = try filter(.compare("name", .isIn, .list((0..<300).map { .string("\"\($0)\"") })))
        #expect(texts.sql == "t0.ZNAME IN (SELECT value FROM json_each(?))")
    }

    @Test func `more constants than a statement can have are refused`() {
        let doubles = ManagedValue.list((0..<40_000).map { .double(Double($0) + 0.5) })
        let error = #expect(throws: FetchError.self) { try count(.compare("height", .isIn, doubles)) }
        #expect(error?.code == .unsupportedByStore)
    }

    @Test func `text operators use an index where they can`() throws {
        let starts = try filter(.compare("name", .beginsWith, "Kn"))
        #expect(starts.sql == "(t0.ZNAME >= ? AND t0.ZNAME < ?)")
        #expect(starts.bindings == [.text("Kn"), .text("Ko")])
        #expect(try filter(.compare("name", .beginsWith, "")).sql == "0")
        #expect(try filter(.compare("name", .contains, "")).sql == "0")
        #expect(try filter(.compare("name", .contains, "x")).sql == "instr(t0.ZNAME, ?) > 0")
        #expect(try filter(.compare("name", .endsWith, "x")).sql == "datamonk_ends_with(t0.ZNAME, ?, 0)")
        #expect(try filter(.compare("name", .like, "x*")).sql == "datamonk_like(t0.ZNAME, ?, 0)")
        #expect(try filter(.compare("name", .matches, "x.*")).sql == "datamonk_matches(t0.ZNAME, ?, 0)")
    }

    @Test func `options become collations, and constants of functions are folded once`() throws {
        let equal = try filter(.compare("name", .equal, "É", options: .caseInsensitive))
        #expect(equal.sql == "t0.ZNAME COLLATE DATAMONK_C = ?")
        #expect(equal.bindings == [.text("É")])
        let contains = try filter(
            .compare("name", .contains, "É", options: [.caseInsensitive, .diacriticInsensitive]))
        #expect(contains.sql == "datamonk_contains(t0.ZNAME, ?, 3)")
        #expect(contains.bindings == [.text("e")])
    }

    @Test func `a to-one on the path is joined once`() throws {
        let condition = Condition.compare("friend.age", .greaterThan, 18).and(.compare("friend.name", .equal, "x"))
        let query = try count(condition)
        #expect(
            query.sql == """
                SELECT COUNT(*) FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND \
                WHERE t1.ZAGE > ? AND t1.ZNAME = ?
                """)
    }

    @Test func `an object needs no join`() throws {
        let friend = try filter(.compare("friend", .equal, id("Person", 7)))
        #expect(friend.sql == "t0.ZFRIEND = ?")
        #expect(friend.bindings == [.integer(7)])
        #expect(try filter(.compare("friend", .equal, nil)).sql == "t0.ZFRIEND IS NULL")
        #expect(try filter(.compare("friend", .notEqual, id("Person", 7))).sql == "t0.ZFRIEND IS NOT ?")
        #expect(try filter(.compare("self", .isIn, [id("Person", 1), id("Monk", 2)])).sql == "t0.Z_PK IN (?, ?)")
        let elsewhere = try filter(.compare("friend", .equal, id("Person", 7, store: 1)))
        #expect(elsewhere.bindings == [.integer(-1)])
    }

    @Test func `ANY starts at the values, and ALL asks whether a row exists`() throws {
        #expect(
            try filter(.compare("friends.age", .greaterThan, 18, modifier: .any)).sql
                == "t0.Z_PK IN (SELECT t1.ZFRIEND FROM ZPERSON t1 WHERE t1.ZAGE > ?)")
        #expect(
            try filter(.compare("friends.age", .notEqual, 18, modifier: .any)).sql
                == "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZFRIEND = t0.Z_PK AND t1.ZAGE IS NOT ?)")
        // Without an index, only where nothing else is asked.
        let aged = Condition.compare("friends.age", .equal, 18, modifier: .any)
        #expect(try filter(aged).sql == "t0.Z_PK IN (SELECT t1.ZFRIEND FROM ZPERSON t1 WHERE t1.ZAGE = ?)")
        #expect(
            try filter(aged.and(.compare("age", .equal, 1))).sql
                == "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZFRIEND = t0.Z_PK AND t1.ZAGE = ?) AND t0.ZAGE = ?")
        #expect(
            try filter(.compare("friends.age", .greaterThan, 18, modifier: .all)).sql
                == "NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZFRIEND = t0.Z_PK AND (t1.ZAGE > ?) IS NOT TRUE)")
        #expect(
            try filter(.compare("friends.age", .greaterThan, 18, modifier: .none)).sql
                == "(EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZFRIEND = t0.Z_PK AND t1.ZAGE > ?)) IS NOT TRUE")
    }

    @Test func `a many-to-many goes over its table, and to the objects only for their values`() throws {
        #expect(
            try filter(.compare("teams", .equal, id("Team", 3), modifier: .any)).sql
                == "t0.Z_PK IN (SELECT t1.Z_2MEMBERS FROM Z_2TEAMS t1 WHERE t1.Z_4TEAMS = ?)")
        #expect(
            try filter(.compare("teams.title", .equal, "x", modifier: .any)).sql == """
                t0.Z_PK IN (SELECT t1.Z_2MEMBERS FROM Z_2TEAMS t1 JOIN ZTEAM t2 ON t2.Z_PK = t1.Z_4TEAMS \
                WHERE t2.ZTITLE = ?)
                """)
        #expect(
            try filter(.compare("teams.@count", .greaterThan, 1)).sql
                == "(SELECT COUNT(*) FROM Z_2TEAMS t1 WHERE t1.Z_2MEMBERS = t0.Z_PK) > ?")
    }

    @Test func `an element is joined like a to-one`() throws {
        let condition = Condition.comparison(
            .init(.path(.element(.last, of: .keyPath("department.queue")), "age"), .equal, .value(1)))
        #expect(
            try count(condition).sql == """
                SELECT COUNT(*) FROM ZPERSON t0 LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPARTMENT LEFT JOIN ZPERSON t3 \
                ON t3.Z_PK = (SELECT t2.Z_PK FROM ZPERSON t2 WHERE t2.ZQUEUEDAT = t1.Z_PK \
                ORDER BY t2.Z_FOK_QUEUEDAT DESC, t2.Z_PK DESC LIMIT 1 OFFSET 0) WHERE t3.ZAGE = ?
                """)
    }

    @Test func `an entity's name is made of its number`() throws {
        #expect(
            try filter(.compare("entity", .equal, "Monk")).sql
                == "CASE t0.Z_ENT WHEN 2 THEN 'Person' WHEN 3 THEN 'Monk' END = ?")
    }

    @Test func `data is folded by a function, since collations are for text`() throws {
        let equal = try filter(.compare("photo", .equal, .data(Data("AB".utf8)), options: .caseInsensitive))
        #expect(equal.sql == "datamonk_fold(t0.ZPHOTO, 1) = ?")
        #expect(equal.bindings == [.blob(Data("ab".utf8))])
        let contains = try filter(.compare("photo", .contains, .data(Data([1]))))
        #expect(contains.sql == "datamonk_contains(t0.ZPHOTO, ?, 0)")
    }

    @Test func `a subquery looks at the last object of its path`() throws {
        let members = ConditionExpression.subquery(
            .keyPath("friends.friends"), variable: "x",
            .comparison(.init(.path(.variable("x"), "age"), .equal, .value(1))))
        #expect(
            try filter(.comparison(.init(.path(members, "@count"), .equal, .value(0)))).sql == """
                (SELECT COUNT(*) FROM ZPERSON t1 JOIN ZPERSON t2 ON t2.ZFRIEND = t1.Z_PK WHERE t1.ZFRIEND = t0.Z_PK \
                AND t2.ZAGE = ?) = ?
                """)
    }

    @Test func `what the parser of the database cannot follow is refused`() throws {
        let deep = (0..<60).reduce(ConditionExpression.keyPath("age")) { tree, _ in .function(.add, [tree, .value(1)]) }
        let error = #expect(throws: FetchError.self) { try filter(.comparison(.init(deep, .equal, .value(1)))) }
        #expect(error?.code == .unsupportedByStore)
    }

    @Test func `a shared table is filtered by entity`() throws {
        let monks = try count(.compare("age", .equal, 1).or(.compare("age", .equal, 2)), "Monk")
        #expect(
            monks.sql == "SELECT COUNT(*) FROM ZPERSON t0 WHERE t0.Z_ENT = 3 AND (t0.ZAGE = ? OR t0.ZAGE = ?)")
        var request = FetchRequest(entityName: "Person")
        #expect(try compiler.count(ResolvedFetch(request, model: model)).sql == "SELECT COUNT(*) FROM ZPERSON t0")
        request.includesSubentities = false
        #expect(
            try compiler.count(ResolvedFetch(request, model: model)).sql
                == "SELECT COUNT(*) FROM ZPERSON t0 WHERE t0.Z_ENT = 2")
    }

    @Test func `what the database has no column for is refused by name`() throws {
        let error = #expect(throws: FetchError.self) { try count(.compare("mood", .equal, "glad")) }
        #expect(error?.code == .unsupportedByStore)
        #expect(error?.keyPath == "mood")
        #expect(error?.message.contains("Person.mood is transient") == true)
    }
}
