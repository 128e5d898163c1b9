import DataMonk
import DataMonkTesting
import Testing

@Suite struct `Explanations of fetches` {
    private func explain(
        _ place: ShopPlace = .file, showingValues: Bool = false, _ change: (inout FetchRequest) -> Void
    ) throws -> FetchExplanation {
        var request = FetchRequest(entityName: "Book")
        change(&request)
        let stage = try ShopStage(place, books: 3)
        // Its file goes with it.
        return try withExtendedLifetime(stage) { try stage.context.explain(request, showingValues: showingValues) }
    }

    @Test func `the statement holds no values, the plan names the index`() throws {
        let explanation = try explain { $0.condition = .compare("title", .equal, "secret") }
        #expect(explanation.statement?.hasSuffix("FROM ZBOOK t0 WHERE t0.ZTITLE = ?") == true)
        #expect(explanation.plans[0].indexNames == ["Z_Book_byTitle"])
        #expect(explanation.isServedByIndex && explanation.suggestedIndex == nil)
        #expect(explanation.plans[0].constants == nil && !explanation.description.contains("secret"))
    }

    @Test func `values are shown to those who ask`() throws {
        let explanation = try explain(showingValues: true) { $0.condition = .compare("title", .equal, "secret") }
        #expect(explanation.plans[0].constants == ["secret"])
        #expect(explanation.description.contains("secret"))
    }

    @Test func `an index over what must be equal, then the range, is suggested as it is declared`() throws {
        let explanation = try explain {
            $0.condition = .compare("pages", .greaterThan, 3).and(.compare("weight", .equal, 2.5))
        }
        #expect(explanation.plans[0].readsEveryObject)
        #expect(explanation.suggestedDeclaration == #"#Index<Book>([\.weight, \.pages])"#)
        #expect(explanation.suggestedIndex == FetchIndexDescription("byWeightAndPages", on: ["weight", "pages"]))
        #expect(explanation.description.contains(#"An index would help: #Index<Book>([\.weight, \.pages])"#))
    }

    @Test func `an index over the order is suggested where the results are sorted`() throws {
        let explanation = try explain {
            $0.condition = .compare("weight", .equal, 2.5)
            $0.sortTerms = [SortTerm("issued", ascending: false), SortTerm("number", ascending: false)]
        }
        #expect(explanation.plans[0].sortsResults)
        #expect(explanation.suggestedDeclaration == #"#Index<Book>([\.weight, \.issued, \.number])"#)
    }

    @Test func `the suggested index serves the fetch`() throws {
        let index = FetchIndexDescription("byWeightAndPages", on: ["weight", "pages"])
        let model = try ManagedObjectModel {
            EntityDescription("Book", indexes: [index]) {
                AttributeDescription("weight", .double)
                AttributeDescription("pages", .integer32)
            }
        }
        let stack = Stack(model: model)
        let folder = try TemporaryFolder()
        try stack.addDatabaseStore(fileURL: folder.file("books.sqlite"))
        let request = FetchRequest(
            entityName: "Book", condition: .compare("pages", .greaterThan, 3).and(.compare("weight", .equal, 2.5)))
        let explanation = try ManagedObjectContext(coordinator: stack.coordinator).explain(request)
        #expect(explanation.isServedByIndex && explanation.suggestedIndex == nil)
    }

    @Test(arguments: [
        Condition.compare("pages", .notEqual, 3), .compare("shelf.name", .equal, "s"),
        .compare("weight", .equal, 1).or(.compare("pages", .equal, 1)), .compare("weight", .equal, 1).negated,
    ])
    func `where no index would help none is suggested`(condition: Condition) throws {
        #expect(try explain { $0.condition = condition }.suggestedIndex == nil)
    }

    @Test(arguments: [
        (FetchRequest.ResultType.count, "SELECT COUNT(*)"), (.objectIDs, "SELECT t0.Z_PK, t0.Z_ENT FROM"),
        (.dictionaries, "SELECT t0.ZTITLE, AVG(t0.ZPAGES)"),
    ])
    func `counts, ids and rows of values are explained as they are run`(
        type: FetchRequest.ResultType, start: String
    ) throws {
        let explanation = try explain {
            $0.resultType = type
            if type == .dictionaries {
                $0.propertiesToFetch = [.init("title"), .init(.average, of: "pages")]
                $0.propertiesToGroupBy = ["title"]
            }
        }
        #expect(explanation.statement?.hasPrefix(start) == true)
    }

    @Test func `objects in batches are explained as a fetch of ids`() throws {
        #expect(try explain { $0.fetchBatchSize = 5 }.statement == "SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0")
    }

    @Test func `a store in memory explains itself in words`() throws {
        let explanation = try explain(.memory) {
            $0.condition = .compare("pages", .greaterThan, 3)
            $0.sortTerms = [SortTerm("pages")]
            $0.fetchLimit = 2
        }
        #expect(explanation.statement == nil && explanation.suggestedIndex == nil && !explanation.isServedByIndex)
        #expect(
            explanation.plans[0].steps == [
                "Scan all objects of Book", "Filter them by the condition", "Sort them", "Apply limit and offset",
            ])
    }

    @Test func `unsaved changes are counted, and a fetch that means nothing is refused`() throws {
        let stage = try ShopStage(.memory, books: 3)
        stage.context.delete(try stage.context.fetch(.books())[0])
        #expect(try stage.context.explain(.books()).unsavedChanges == 1)
        #expect(throws: FetchError.self) { try stage.context.explain(FetchRequest(entityName: "Boook")) }
    }
}
