import DataMonk
import Foundation
import Testing

@Suite struct `Groups made while rows are read` {
    private static let titles: [String?] = [
        nil, "", "b", "B", "a\u{300}", "\u{E0}", "a\0b", "a", String(repeating: "z", count: 300), "1", "😀", "\u{FFFF}",
    ]
    private static let dates: [Double] = [0, 0.5, -1, 1e9, 2, 9_007_199_254_740_992]

    /// A request whose aggregates are computed by Swift, with its rows' number as `n`.
    private func request(by keys: [String], of path: String = "pages") -> FetchRequest {
        var request = FetchRequest(entityName: "Book")
        request.resultType = .dictionaries
        request.propertiesToGroupBy = keys
        request.propertiesToFetch =
            keys.enumerated().map { .init($1, alias: "key\($0)") } + [
                .init(.median, of: path, alias: "median"), .init(.count, of: "self", alias: "n"),
                .init(.sum, of: "price", alias: "total"), .init(.average, of: "price", alias: "mean"),
                .init(.standardDeviation, of: "pages", alias: "deviation"),
            ]
        return request
    }

    /// The same request, with a condition that all groups satisfy, so that the database groups.
    private func byDatabase(_ request: FetchRequest) -> FetchRequest {
        var request = request
        request.havingCondition = .compare("n", .greaterThan, 0)
        return request
    }

    private func oddStage(_ place: ShopPlace) throws -> ShopStage {
        let stage = try ShopStage(place, books: 180)
        for (number, book) in try stage.context.fetch(.books()).enumerated() {
            try book.setValue(Self.titles[number % 12].map { .string($0) } ?? .null, forKey: "title")
            let date = Self.dates[number % 7 % 6]
            if number % 7 < 6 { try book.setValue(.date(Date(timeIntervalSinceReferenceDate: date)), forKey: "issued") }
            try book.setValue(.double(number % 5 == 0 ? -0.0 : Double(number % 4) / 2), forKey: "weight")
            if number % 11 == 0 { try book.setValue(.null, forKey: "pages") }
            if number % 10 == 0 { try book.setValue(.null, forKey: "shelf") }
            let code = number % 3 == 0 ? nil : UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number % 3)")
            try book.setValue(code.map { .uuid($0) } ?? .null, forKey: "code")
        }
        try stage.context.save()
        return stage
    }

    @Test(arguments: [
        ["title"], ["issued"], ["weight"], ["price"], ["code"], ["shelf"], ["shelf.room.name"], ["self"], ["pages"],
        ["title", "issued"], ["weight", "title", "shelf"], ["code", "price"], ["shelf.room", "shelf.name"],
    ])
    func `they are those of the database, in the same order`(keys: [String]) throws {
        let stage = try oddStage(.file)
        for path in ["pages", "weight", "issued", "price"] {
            let request = request(by: keys, of: path)
            let rows = try stage.context.values(request)
            #expect(try rows == stage.context.values(byDatabase(request)))
            #expect(rows.count > 1)
        }
    }

    @Test func `the database is asked for the values of single rows`() throws {
        let stage = try oddStage(.file)
        let plan = try stage.context.explain(request(by: ["weight"])).plans[0]
        #expect(plan.statement?.contains("GROUP BY") == false)
        #expect(!plan.sortsResults)
        #expect(try stage.context.explain(byDatabase(request(by: ["weight"]))).plans[0].sortsResults)
        let queries = try stage.queries { _ = try stage.context.values(request(by: ["weight"])) }
        #expect(queries.count == 1)
        #expect(queries[0].contains("GROUP BY") == false)
    }

    @Test func `more than ten thousand are left to the database`() throws {
        let stage = try ShopStage(.file, books: 10_100)
        let request = request(by: ["number"])
        var rows: [[ManagedValue]] = []
        let queries = try stage.queries { rows = try stage.context.values(request) }
        #expect(queries.count == 2)
        #expect(rows.count == 10_100)
        #expect(rows.map { $0[0] } == (0..<10_100).map { .int($0) })
        #expect(rows.last?[1] == 100_990)
        #expect(try rows == stage.context.values(byDatabase(request)))
    }

    @Test func `those of long values are left to the database`() throws {
        let stage = try ShopStage(.file, books: 90)
        for (number, book) in try stage.context.fetch(.books()).enumerated() {
            try book.setValue(.string(String(repeating: "z", count: 200_000) + "\(number)"), forKey: "title")
        }
        try stage.context.save()
        let request = request(by: ["title"])
        var rows: [[ManagedValue]] = []
        let queries = try stage.queries { rows = try stage.context.values(request) }
        #expect(queries.count == 2 && rows.count == 90)
        #expect(try rows == stage.context.values(byDatabase(request)))
    }

    @Test(arguments: ShopPlace.allCases)
    func `no objects make no groups`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 3)
        var request = request(by: ["title"])
        request.condition = .compare("number", .lessThan, 0)
        #expect(try stage.context.values(request).isEmpty)
    }
}
