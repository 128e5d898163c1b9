import DataMonkSQLite
import Foundation
import Testing

@Suite("Custom functions and collations")
struct FunctionTests {
    let directory: TemporaryDirectory
    let connection: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.people()
    }

    @Test func `a function gets its arguments and returns every type`() throws {
        try connection.registerFunction("echo", argumentCount: -1) { call in
            switch call.type(at: 0) {
            case .integer: call.returnValue(call.int64(at: 0))
            case .double: call.returnValue(call.double(at: 0))
            case .text: call.returnValue(call.text(at: 0) ?? "")
            case .blob: call.returnValue(call.withBlob(at: 0) { Data($0) })
            case .null: call.returnNull()
            }
        }
        #expect(try connection.text("SELECT quote(echo(1)) || quote(echo(0.5)) || quote(echo('É'))") == "10.5'É'")
        let blobs = try connection.text("SELECT quote(echo(x'00ff')) || quote(echo(x'')) || quote(echo(NULL))")
        #expect(blobs == "X'00FF'X''NULL")
    }

    @Test func `what a function throws is the failure's cause`() throws {
        struct TooSlow: Error {}
        try connection.registerFunction("fails", argumentCount: 0) { _ in throw TooSlow() }
        #expect(failure { _ = try connection.int64("SELECT fails()") }?.underlyingError is TooSlow)
        #expect(failure { _ = try connection.int64("SELECT nothing FROM ZPERSON") }?.underlyingError == nil)
    }

    @Test func `a pure function serves in an index`() throws {
        try connection.registerFunction("fold", argumentCount: 1) { call in
            call.returnValue((call.text(at: 0) ?? "").lowercased())
        }
        try connection.execute("CREATE INDEX folded ON ZPERSON (fold(ZNAME))")
        try connection.insert("ÉMILE", age: 1)
        #expect(try connection.int64("SELECT count(*) FROM ZPERSON WHERE fold(ZNAME) = 'émile'") == 1)
    }

    @Test func `an aggregate keeps a state for each group, and one for no rows`() throws {
        final class Longest: SQLiteAggregate {
            var longest = "none"
            func step(_ call: borrowing SQLiteFunctionCall) {
                if let text = call.text(at: 0), longest == "none" || text.count > longest.count { longest = text }
            }
            func finish(_ call: borrowing SQLiteFunctionCall) { call.returnValue(longest) }
        }
        try connection.registerAggregate("longest", argumentCount: 1) { Longest() }
        #expect(try connection.text("SELECT longest(ZNAME) FROM ZPERSON") == "none")
        for (name, age) in [("a", 1), ("bcd", 1), ("ef", 2)] { try connection.insert(name, age: age) }
        let groups = "SELECT group_concat(x) FROM (SELECT longest(ZNAME) AS x FROM ZPERSON GROUP BY ZAGE ORDER BY ZAGE)"
        #expect(try connection.text(groups) == "bcd,ef")
    }

    @Test func `a collation orders`() throws {
        try connection.registerCollation("backwards") { one, other in
            one.elementsEqual(other) ? 0 : one.lexicographicallyPrecedes(other) ? 1 : -1
        }
        for name in ["b", "c", "a"] { try connection.insert(name, age: 1) }
        let sql = "SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZPERSON ORDER BY ZNAME COLLATE backwards)"
        #expect(try connection.text(sql) == "c,b,a")
    }

    @Test func `closures are released with the connection, and when a name is taken anew`() throws {
        final class Witness: Sendable {}
        weak var first: Witness?
        weak var second: Witness?
        do {
            let one = Witness()
            let other = Witness()
            (first, second) = (one, other)
            try connection.registerFunction("f", argumentCount: 0) { [one] in $0.returnValue(one === one) }
            try connection.registerFunction("f", argumentCount: 0) { [other] in $0.returnValue(other === other) }
        }
        #expect(first == nil)
        #expect(second != nil)
        try connection.close()
        #expect(second == nil)
    }
}
