import DataMonk
import DataMonkTesting
import Foundation
import Testing

@Suite struct `Columns and figures` {
    private func values(
        _ place: ShopPlace, _ stage: ShopStage, _ change: (inout FetchRequest) -> Void
    ) throws -> [[ManagedValue]] {
        var request = FetchRequest(entityName: "Book")
        request.resultType = .dictionaries
        change(&request)
        return try stage.context.values(request)
    }

    @Test(arguments: ShopPlace.allCases)
    func `sum and mean of decimals are exact`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 0)
        let entity = try #require(stage.stack.model.entitiesByName["Book"])
        let prices = ["0.1", "0.2", "123456789012.34", "0.00000000000000000003", "-0.3"]
        for price in prices {
            let decimal = try #require(Decimal(string: price, locale: Locale(identifier: "en_US_POSIX")))
            try stage.context.insert(entity).setValue(.decimal(decimal), forKey: "price")
        }
        try stage.context.save()
        let row = try values(place, stage) {
            $0.propertiesToFetch = [
                .init(.sum, of: "price", alias: "sum"), .init(.average, of: "price", alias: "mean"),
                .init(.maximum, of: "price", alias: "most"),
            ]
            $0.condition = .compare("price", .lessThan, 1000)
        }[0]
        let exact = try #require(Decimal(string: "0.00000000000000000003"))
        #expect(row[0] == .decimal(exact))
        #expect(row[1] == .decimal(exact / 4))
        #expect(row[2] == .decimal(try #require(Decimal(string: "0.2"))))
        let all = try values(place, stage) { $0.propertiesToFetch = [.init(.sum, of: "price")] }[0][0]
        #expect(all == .decimal(try #require(Decimal(string: "123456789012.34000000000000000003"))))
    }

    @Test(arguments: ShopPlace.allCases)
    func `columns hold what expressions work out, and figures are about them`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 4)
        let double = try ConditionExpression(format: "pages * 2 + number")
        #expect(
            try values(place, stage) {
                $0.propertiesToFetch = [.init("number"), .init(of: double, alias: "double")]
                $0.sortTerms = [SortTerm("double", ascending: false)]
            } == [[3, 63], [2, 42], [1, 21], [0, 0]])
        #expect(
            try values(place, stage) { $0.propertiesToFetch = [.init(.maximum, of: double, alias: "most")] } == [[63]])
        #expect(
            try values(place, stage) {
                $0.propertiesToFetch = [
                    .init("shelf.room.name", alias: "room"), .init(.sum, of: double, alias: "total"),
                ]
                $0.propertiesToGroupBy = ["shelf.room.name"]
                $0.havingCondition = .compare("total", .greaterThan, 50)
            } == [["r1", .decimal(105)]])
    }

    @Test(arguments: ShopPlace.allCases)
    func `groups are of several keys and paths, nil one of them`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 8)
        let book = try stage.context.fetch(.books())[7]
        try book.setValue(nil, forKey: "shelf")
        try book.setValue(nil, forKey: "title")
        try stage.context.save()
        let rows = try values(place, stage) {
            $0.propertiesToFetch = [
                .init("shelf.room.name", alias: "room"), .init("title"), .init(.count, of: "self", alias: "books"),
            ]
            $0.propertiesToGroupBy = ["shelf.room.name", "title"]
            $0.sortTerms = [SortTerm("room"), SortTerm("title", ascending: false)]
            $0.fetchLimit = 4
        }
        #expect(rows == [[nil, nil, 1], ["r0", "b4", 1], ["r0", "b1", 1], ["r0", "b0", 2]])
    }

    @Test(arguments: ShopPlace.allCases)
    func `values of every type come back in their type`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 1)
        let book = try stage.context.fetch(.books())[0]
        let (date, uuid) = (Date(timeIntervalSinceReferenceDate: 12_345), UUID())
        try book.setValue(.date(date), forKey: "issued")
        try book.setValue(.uuid(uuid), forKey: "code")
        try book.setValue(2, forKey: "weight")
        try stage.context.save()
        let keys = ["issued", "code", "weight", "price", "number", "shelf", "self"]
        let row = try values(place, stage) { $0.propertiesToFetch = keys.map { .init($0) } }[0]
        let shelf = try book.value(forKey: "shelf")
        #expect(row == [.date(date), .uuid(uuid), .double(2), .decimal(0), 0, shelf, .object(book.anyObjectID)])
        let latest = try values(place, stage) {
            $0.propertiesToFetch = [.init(.maximum, of: "issued"), .init(.median, of: "weight")]
        }
        #expect(latest == [[.date(date), .double(2)]])
    }

    @Test(arguments: ShopPlace.allCases)
    func `figures about nothing are nil, and the count is zero`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 3)
        let figures = FetchRequest.Selection.Function.allCases
        let rows = try values(place, stage) {
            $0.propertiesToFetch = figures.map { .init($0, of: "pages", alias: $0.name) }
            $0.condition = .compare("number", .lessThan, 0)
        }
        #expect(rows == [figures.map { $0 == .count ? 0 : nil }])
        let groups = try values(place, stage) {
            $0.propertiesToFetch = [.init("title"), .init(.count, of: "pages", alias: "n")]
            $0.propertiesToGroupBy = ["title"]
            $0.condition = .compare("number", .lessThan, 0)
        }
        #expect(groups.isEmpty)
    }
}
