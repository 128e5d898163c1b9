import DataMonk
import Foundation
import Testing

@Suite struct `Aggregates as expressions` {
    private func rows(
        _ stage: ShopStage, _ formats: [String], _ change: (inout FetchRequest) -> Void = { _ in }
    ) throws -> [[ManagedValue]] {
        var request = FetchRequest(entityName: "Book")
        request.resultType = .dictionaries
        request.propertiesToFetch = try formats.map { .init(of: try ConditionExpression(format: $0), alias: $0) }
        change(&request)
        return try stage.context.values(request)
    }

    @Test func `a function in a variable takes a literal for a key path`() throws {
        let stage = try ShopStage(.file, books: 4)
        for function: FetchRequest.Selection.Function in [.sum, .count] {
            let selection = FetchRequest.Selection(function, of: "pages", alias: "x")
            #expect(selection.expression == .keyPath("pages"))
            #expect(FetchRequest.Selection(function, of: "pages").alias == "pages")
            #expect(try rows(stage, []) { $0.propertiesToFetch = [selection] }.count == 1)
        }
    }

    @Test(arguments: ShopPlace.allCases)
    func `the length of a text stands beside an aggregate where it is that of a group`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 4)
        let lengths = try rows(stage, ["title", "title.length + @count"]) { $0.propertiesToGroupBy = ["title"] }
        for row in lengths {
            guard case .string(let title) = row[0], case .int(let sum) = row[1] else {
                Issue.record("\(row)")
                continue
            }
            #expect(Int(sum) > title.utf16.count)
        }
        let error = #expect(throws: FetchError.self) { try rows(stage, ["title.length + @count"]) }
        #expect(error?.message.contains("does not have a single value") == true, "\(error?.message ?? "")")
        let loose = #expect(throws: FetchError.self) { try rows(stage, ["title.length", "@count"]) }
        #expect(loose?.message.contains("select an aggregate of it") == true, "\(loose?.message ?? "")")
    }

    private static let spellings: [(FetchRequest.Selection.Function, [String])] = [
        (.count, ["count:(pages)"]), (.sum, ["@sum.pages", "sum:(pages)"]),
        (.average, ["@avg.pages", "average:(pages)"]), (.minimum, ["@min.pages", "min:(pages)"]),
        (.maximum, ["@max.pages", "max:(pages)"]), (.median, ["median:(pages)"]),
        (.standardDeviation, ["stddev:(pages)"]),
    ]

    @Test(arguments: ShopPlace.allCases, [0, 12])
    func `a column of an aggregate is the selection with its function`(place: ShopPlace, books: Int) throws {
        let stage = try ShopStage(place, books: books)
        for (function, formats) in Self.spellings {
            for groups in [[], ["title"]] {
                let expected = try rows(stage, []) {
                    $0.propertiesToFetch = [.init(function, of: .keyPath("pages"), alias: "figure")]
                    $0.propertiesToGroupBy = groups
                    $0.sortTerms = [SortTerm("figure")]
                }
                for format in formats {
                    let same = try rows(stage, [format]) {
                        $0.propertiesToGroupBy = groups
                        $0.sortTerms = [SortTerm(format)]
                    }
                    #expect(same == expected, "\(format)")
                }
            }
        }
        #expect(try rows(stage, ["@count", "count:(SELF)"]) == [[.int(Int64(books)), .int(Int64(books))]])
    }

    @Test(arguments: ShopPlace.allCases)
    func `the object of a group is no column that is named self`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 4)
        let book = try #require(try stage.context.fetch(FetchRequest(entityName: "Book")).first)
        func counts(_ having: Condition) throws -> [[ManagedValue]] {
            try rows(stage, []) {
                $0.propertiesToFetch = [.init(.count, of: .object, alias: "self")]
                $0.propertiesToGroupBy = ["self"]
                $0.havingCondition = having
            }
        }
        #expect(try counts(Condition(format: "SELF == %@", book.anyObjectID)) == [[1]])
        #expect(try counts(Condition(format: "SELF != %@", book.anyObjectID)).count == 3)
        let other = try Condition(format: "SELF == %@", book.anyObjectID)
        #expect(throws: FetchError.self) {
            try rows(stage, ["title", "@count"]) {
                $0.propertiesToGroupBy = ["title"]
                $0.havingCondition = other
            }
        }
    }

    @Test(arguments: ShopPlace.allCases)
    func `calculations contain aggregates, and aggregates calculations`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 4)
        #expect(
            try rows(stage, ["@sum.pages / @count", "sum:(pages * 2) + 1", "max:(shelf.room.name)"])
                == [[.decimal(15), .decimal(121), "r1"]])
        #expect(
            try rows(stage, ["@sum.pages / @count", "@count * 2", "TERNARY(@count > 3, @max.number, 0)"]) {
                $0.condition = .compare("number", .lessThan, 0)
            } == [[nil, 0, 0]])
        let spread = try rows(stage, ["shelf.room.name", "@max.pages - @min.pages", "number + @count"]) {
            $0.propertiesToGroupBy = ["shelf.room.name", "number"]
            $0.sortTerms = [SortTerm("number + @count", ascending: false)]
            $0.fetchLimit = 2
        }
        #expect(spread == [["r1", 0, 4], ["r1", 0, 3]])
    }

    @Test(arguments: ShopPlace.allCases)
    func `having and the order of groups take aggregates that are not columns`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 12)
        func titles(_ having: String?, _ terms: [SortTerm], isDistinct: Bool = false) throws -> [ManagedValue] {
            let condition = try having.map { try Condition(format: $0) }
            return try rows(stage, ["title"]) {
                $0.propertiesToGroupBy = ["title"]
                $0.havingCondition = condition
                $0.sortTerms = terms
                $0.returnsDistinctResults = isDistinct
            }.map { $0[0] }
        }
        #expect(try titles("@count > 2", [SortTerm("title")]) == ["b0", "b1"])
        #expect(try titles("sum:(pages) / count:(pages) >= 60", [SortTerm("title")]) == ["b1", "b4"])
        #expect(try titles(nil, [SortTerm("@sum.number", ascending: false), SortTerm("title")]).first == "b1")
        #expect(try titles("@count > 2", [SortTerm("title")], isDistinct: true) == ["b0", "b1"])
        #expect(throws: FetchError.self) { try titles(nil, [SortTerm("@count")], isDistinct: true) }
    }

    @Test(arguments: ["@sum.pages > 3", "sum:(pages) > 3", "max:(pages * 2) > 3", "@count == 3"])
    func `a condition on objects refuses aggregates of all of them`(format: String) throws {
        let stage = try ShopStage(.memory, books: 1)
        let request = FetchRequest(entityName: "Book", condition: try Condition(format: format))
        let error = #expect(throws: FetchError.self) { try stage.context.fetch(request) }
        #expect(error?.code == .invalidKeyPath)
        #expect(error?.message.contains("aggregate of all fetched objects") == true)
    }

    @Test(arguments: [
        ("@sum.pages + number", "neither a column"), ("sum:(@sum.pages)", "aggregate of all"), ("@sum", "must be"),
        ("TERNARY(SELF == nil, 1, 0) + @count", "neither a column"),
        ("@sum.title", "cannot be computed"), ("@sum.pagees", "no property"), ("@first.pages", "no operator"),
    ])
    func `a column that has no single value is refused`(format: String, reason: String) throws {
        let stage = try ShopStage(.memory, books: 1)
        let error = #expect(throws: FetchError.self) { try rows(stage, [format]) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func `what is not grouped has no order by an aggregate`() throws {
        let stage = try ShopStage(.memory, books: 1)
        #expect(throws: FetchError.self) { try rows(stage, ["title"]) { $0.sortTerms = [SortTerm("@count")] } }
    }
}
