import DataMonk
import DataMonkTesting
import Testing

@Suite struct `Options of fetches` {
    // MARK: Faults

    @Test func `ids alone are one query of keys, and the first access one for all that came along`() throws {
        let stage = try ShopStage(.file, books: 10)
        let request = FetchRequest.books { $0.includesPropertyValues = false }
        var books: [ManagedObject] = []
        let fetch = try stage.queries { books = try stage.context.fetch(request) }
        #expect(fetch == ["SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 ORDER BY t0.ZNUMBER, t0.Z_PK"])
        #expect(books.faultCount == books.count)
        #expect(try stage.queries { _ = try books[3].int("number") }.count == 1)
        #expect(try stage.queries { try #require(try books.numbers() == Array(0..<10)) }.isEmpty)
    }

    @Test(arguments: ShopPlace.allCases)
    func `objects without property values are faults, and none where faults are refused`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 4)
        let context = stage.newContext()
        let faults = try context.fetch(.books { $0.includesPropertyValues = false })
        #expect(faults.faultCount == faults.count)
        let loaded = try context.fetch(
            .books {
                $0.includesPropertyValues = false
                $0.fetchBatchSize = 2
                $0.propertiesToFetch = [.init("title")]
                $0.returnsObjectsAsFaults = false
            })
        #expect(loaded.faultCount == 0)
        #expect(loaded == faults)
        try context.checkInvariants()
    }

    // MARK: Certain properties

    @Test func `certain properties are one narrow query, and the rest is another one`() throws {
        let stage = try ShopStage(.file, books: 6)
        let request = FetchRequest.books { $0.propertiesToFetch = [.init("title"), .init("shelf")] }
        var books: [ManagedObject] = []
        let fetch = try stage.queries { books = try stage.context.fetch(request) }
        #expect(
            fetch == [
                "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZTITLE, t0.ZSHELF FROM ZBOOK t0 ORDER BY t0.ZNUMBER, t0.Z_PK"
            ])
        let known = try stage.queries {
            #expect(try books.map { try $0.value(forKey: "title") } == ["b0", "b1", "b2", "b3", "b4", "b0"])
            for book in books { _ = try book.value(forKey: "shelf") }
        }
        #expect(known.isEmpty)
        #expect(
            try stage.queries { try #require(try books.map { try $0.int("pages") } == [0, 10, 20, 30, 40, 50]) }.count
                == 1)
        #expect(try books[1].value(forKey: "title") == "b1")
    }

    @Test(arguments: ShopPlace.allCases)
    func `objects with certain properties are faults that read alike everywhere`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 6)
        let context = stage.newContext()
        let request = FetchRequest.books { $0.propertiesToFetch = [.init("title"), .init("number")] }
        let books = try context.fetch(request)
        #expect(books.faultCount == books.count)
        #expect(try books.numbers() == Array(0..<6))
        #expect(books.faultCount == books.count)
        try context.checkInvariants()
        #expect(try books[2].int("pages") == 20)
        #expect(!books[2].isFault)
        try context.checkInvariants()
    }

    @Test(arguments: ShopPlace.allCases)
    func `what is known of a fault goes when somebody commits the object`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 3)
        let (context, other) = (stage.newContext(), stage.newContext())
        let books = try context.fetch(.books { $0.propertiesToFetch = [.init("title")] })
        let theirs = try other.fetch(.books())
        try theirs[1].setValue("new", forKey: "title")
        try other.save()
        #expect(try books[1].value(forKey: "title") == "b1")
        context.mergeCommits()
        #expect(try books[1].value(forKey: "title") == "new")
        try context.checkInvariants()
    }

    @Test(arguments: ShopPlace.allCases)
    func `a fault with certain properties is written as a whole object`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 3)
        let context = stage.newContext()
        let book = try #require(try context.fetch(.books { $0.propertiesToFetch = [.init("title")] }).last)
        try book.setValue("written", forKey: "title")
        #expect(try book.int("pages") == 20)
        try context.save()
        let seen = try #require(try stage.newContext().fetch(.books()).last)
        #expect(try seen.value(forKey: "title") == "written" && seen.int("pages") == 20)
    }

    @Test func `figures and paths are no properties to load`() throws {
        let stage = try ShopStage(.memory, books: 1)
        for selection in [FetchRequest.Selection(.count, of: "title"), .init("shelf.name")] {
            let error = #expect(throws: FetchError.self) {
                try stage.context.fetch(.books { $0.propertiesToFetch = [selection] })
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    // MARK: What there is already

    @Test(arguments: ShopPlace.allCases)
    func `refetched objects keep their values, or take over the store's`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 3)
        let (context, other) = (stage.newContext(followsCommits: false), stage.newContext())
        let books = try context.fetch(.books())
        try books[2].setValue("mine", forKey: "title")
        let theirs = try other.fetch(.books())
        for book in theirs { try book.setValue("theirs", forKey: "title") }
        try theirs[2].setValue(7, forKey: "pages")
        try other.save()
        #expect(try context.fetch(.books()).map { try $0.value(forKey: "title") } == ["b0", "b1", "mine"])
        let refreshed = try context.fetch(.books { $0.shouldRefreshRefetchedObjects = true })
        #expect(refreshed == books)
        #expect(try books.map { try $0.value(forKey: "title") } == ["theirs", "theirs", "mine"])
        #expect(try books[2].int("pages") == 7)
    }

    @Test func `what another program wrote is taken over by a refreshing fetch`() throws {
        let stage = try ShopStage(.file, books: 2)
        let books = try stage.context.fetch(.books())
        let other = ManagedObjectContext(coordinator: try stage.newStack().coordinator)
        try other.fetch(.books())[0].setValue("other", forKey: "title")
        try other.save()
        _ = try stage.context.fetch(.books { $0.shouldRefreshRefetchedObjects = true })
        #expect(try books.map { try $0.value(forKey: "title") } == ["other", "b1"])
    }

    // MARK: Related objects

    @Test func `paths of several relationships are prefetched with a query a step`() throws {
        let stage = try ShopStage(.file, books: 8)
        var books: [ManagedObject] = []
        let fetch = try stage.queries {
            books = try stage.context.fetch(.books { $0.relationshipKeyPathsForPrefetching = ["shelf.room.shelves"] })
        }
        #expect(fetch.count == 4)
        let walk = try stage.queries {
            for book in books {
                let shelf = try stage.context.object(at: "shelf", of: book)
                let room = try stage.context.object(at: "room", of: shelf)
                #expect(try room.objects(forKey: "shelves").contains(shelf))
            }
        }
        #expect(walk.isEmpty)
    }

    // MARK: Membership

    @Test func `sub-entities are left out by their number`() throws {
        let stage = try ShopStage(.file, books: 6)
        var books: [ManagedObject] = []
        let fetch = try stage.queries { books = try stage.context.fetch(.books { $0.includesSubentities = false }) }
        #expect(fetch.count == 1 && fetch[0].contains("WHERE t0.Z_ENT = "))
        #expect(try books.numbers() == [0, 1, 3, 4])
    }

    @Test func `limit and offset are the database's, and so is the absence of equal rows`() throws {
        let stage = try ShopStage(.file, books: 12)
        let page = try stage.queries {
            let request = FetchRequest.books {
                $0.fetchLimit = 3
                $0.fetchOffset = 4
            }
            try #require(try stage.context.fetch(request).numbers() == [4, 5, 6])
        }
        #expect(page.count == 1 && page[0].hasSuffix(" LIMIT ? OFFSET ?"))
        let titles = try stage.queries {
            let request = FetchRequest.books {
                $0.resultType = .dictionaries
                $0.propertiesToFetch = [.init("title")]
                $0.sortTerms = [SortTerm("title")]
                $0.returnsDistinctResults = true
            }
            try #require(try stage.context.values(request) == [["b0"], ["b1"], ["b2"], ["b3"], ["b4"]])
        }
        #expect(titles == ["SELECT DISTINCT t0.ZTITLE FROM ZBOOK t0 ORDER BY t0.ZTITLE"])
    }

    @Test func `ids and counts under unsaved changes read keys alone`() throws {
        let stage = try ShopStage(.file, books: 600)
        let books = try stage.context.fetch(.books { $0.fetchLimit = 2 })
        stage.context.delete(books[0])
        try books[1].setValue(-5, forKey: "pages")
        let request = FetchRequest.books { $0.condition = .compare("pages", .greaterThanOrEqual, 0) }
        let queries = try stage.queries {
            try #require(try stage.context.objectIDs(request).count == 598)
            #expect(try stage.context.count(request) == 598)
        }
        #expect(queries.count == 2 && queries.allSatisfy { $0.hasPrefix("SELECT t0.Z_PK, t0.Z_ENT FROM") })
        #expect(stage.context.registeredObjects.count <= 4)
    }
}

extension ManagedObjectContext {
    /// The object that a to-one leads to.
    func object(at key: String, of object: ManagedObject) throws -> ManagedObject {
        guard case .object(let id) = try object.value(forKey: key) else { throw FetchError(.objectNotFound, key) }
        return try existingObject(with: id)
    }
}
