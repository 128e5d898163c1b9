import DataMonk
import DataMonkFixtures
import Foundation
import Testing

@Suite struct `Fetch requests of the model` {
    private let model: ManagedObjectModel

    init() throws { model = try Bookshop.model.get() }

    private func error(_ name: String, _ values: [String: any FormatArgument] = [:]) -> FetchError? {
        let error = #expect(throws: FetchError.self) {
            try model.fetchRequest(fromTemplate: name, substituting: values)
        }
        return error
    }

    @Test(arguments: ShopPlace.allCases)
    func `a template with values for its variables is a request`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 10)
        var request = try model.fetchRequest(fromTemplate: "thickerThan", substituting: ["PAGES": 40])
        request.sortTerms = [SortTerm("number")]
        #expect(request.fetchLimit == 3)
        #expect(try stage.context.fetch(request).numbers() == [5, 6, 7])
        var all = try model.fetchRequest(fromTemplate: "allBooks")
        all.sortTerms = [SortTerm("number")]
        #expect(try stage.context.fetch(all).numbers() == [0, 1, 3, 4, 6, 7, 9])
    }

    @Test(arguments: ShopPlace.allCases)
    func `variables take lists, objects, and stand within subqueries`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 10)
        let novels = try model.fetchRequest(fromTemplate: "novels", substituting: ["TITLES": ["b0", "b2"]])
        #expect(Set(try stage.context.fetch(novels).numbers()) == [2, 5])
        let shelf = try stage.context.object(at: "shelf", of: try stage.context.fetch(.books())[1])
        let there = try model.fetchRequest(fromTemplate: "onShelf", substituting: ["SHELF": shelf])
        #expect(Set(try stage.context.fetch(there).numbers()) == [1, 5, 9])
        let big = try model.fetchRequest(fromTemplate: "withBig", substituting: ["PAGES": 75])
        #expect(try stage.context.count(big) == 2)
    }

    @Test func `what does not fit a template is said with its name`() {
        let unknown = error("thickerThen", ["PAGES": 3])
        #expect(unknown?.code == .unknownTemplate && unknown?.message.contains("\"thickerThan\"") == true)
        let missing = error("thickerThan", ["PAGE": 3])
        #expect(missing?.code == .missingVariable && missing?.message.contains("$PAGES") == true)
        #expect(missing?.message.contains("\"PAGE\"") == true)
        #expect(error("thickerThan", ["PAGES": 3, "OTHER": 4])?.code == .unknownVariable)
        #expect(error("allBooks", ["PAGES": 3])?.code == .unknownVariable)
        let wrong = error("thickerThan", ["PAGES": "many"])
        #expect(wrong?.code == .typeMismatch && wrong?.message.contains("\"thickerThan\"") == true)
        let broken = error("broken")
        #expect(broken?.code == .invalidFormat && broken?.message.contains("\"broken\"") == true)
    }

    @Test func `values stay out of messages`() {
        #expect(error("thickerThan", ["PAGES": "secret"])?.message.contains("secret") == false)
    }

    @Test(.requiresFixtures("models"))
    func `templates of an Xcode model are requests`() throws {
        let model = try ModelBundle(contentsOf: Fixtures.url("models/mogenerator/test.xcdatamodel")).model()
        let request = try model.fetchRequest(fromTemplate: "byHumanName", substituting: ["humanName": "Monk"])
        #expect(request.entityName == "Human")
        #expect(request.condition == .compare("humanName", .equal, "Monk"))
        #expect(throws: FetchError.self) { try model.fetchRequest(fromTemplate: "byHumanName") }
    }

    @Test func `templates of a model inside a store are requests`() throws {
        let folder = try TemporaryFolder()
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.file("bookshop.sqlite"))
        try stack.close()
        let stored = try ManagedObjectModel.load(fromStoreAt: folder.file("bookshop.sqlite"))
        let request = try stored.fetchRequest(fromTemplate: "thickerThan", substituting: ["PAGES": 40])
        #expect(request == (try model.fetchRequest(fromTemplate: "thickerThan", substituting: ["PAGES": 40])))
    }

    @Test func `a condition keeps the objects of its subqueries when variables get values`() throws {
        let condition = try Condition(format: "SUBQUERY(books, $b, $b.pages > $P AND $b.title IN {$A, $B}).@count > $N")
        #expect(condition.variableNames == ["A", "B", "N", "P"])
        let full = try condition.substituting(["A": "x", "B": "y", "N": 1, "P": 2])
        #expect(
            full == (try Condition(format: "SUBQUERY(books, $b, $b.pages > 2 AND $b.title IN {'x', 'y'}).@count > 1")))
    }
}

@Suite struct `Fetched properties` {
    @Test(arguments: ShopPlace.allCases)
    func `a fetched property finds by what its object is like`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 12)
        let book = try stage.context.fetch(.books())[5]
        #expect(Set(try book.objects(forKey: "neighbours").numbers()) == [1, 9])
        let shelf = try book.value(forKey: "shelf")
        let other = try stage.context.fetch(.books())[2]
        try other.setValue(shelf, forKey: "shelf")
        #expect(Set(try book.objects(forKey: "neighbours").numbers()) == [1, 2, 9])
    }

    @Test func `what the model's author noted of a fetched property takes part`() throws {
        let stage = try ShopStage(.memory, books: 1)
        let book = try stage.context.fetch(.books())[0]
        #expect(try book.objects(forKey: "namesakes").isEmpty)
        try book.setValue("b", forKey: "title")
        #expect(try book.objects(forKey: "namesakes") == [book])
    }

    @Test func `another variable has no value`() throws {
        let stage = try ShopStage(.memory, books: 1)
        let book = try stage.context.fetch(.books())[0]
        let error = #expect(throws: FetchError.self) { try book.objects(forKey: "lost") }
        #expect(error?.code == .missingVariable && error?.message.contains("Book.lost") == true)
    }
}
