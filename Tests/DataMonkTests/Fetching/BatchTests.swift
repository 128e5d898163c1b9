import DataMonk
import DataMonkTesting
import Testing

@Suite struct `Fetches in batches` {
    private static let batch = FetchRequest.books { $0.fetchBatchSize = 20 }

    // MARK: Arrays of faults

    @Test func `a fetch in batches asks for keys, then for a batch when one of its objects is touched`() throws {
        let stage = try ShopStage(.file, books: 100)
        var books: [ManagedObject] = []
        let fetch = try stage.queries { books = try stage.context.fetch(Self.batch) }
        #expect(fetch == ["SELECT t0.Z_PK, t0.Z_ENT FROM ZBOOK t0 ORDER BY t0.ZNUMBER, t0.Z_PK"])
        #expect(books.count == 100 && books.faultCount == books.count)
        #expect(try stage.queries { try #require(try books[45].int("number") == 45) }.count == 1)
        #expect(books.filter { !$0.isFault }.count == 20 && !books[40].isFault && !books[59].isFault)
        #expect(try stage.queries { try #require(try books.numbers() == Array(0..<100)) }.count == 4)
    }

    // MARK: Arrays in batches

    @Test func `an array in batches takes a query for the ids and one for each batch`() throws {
        let stage = try ShopStage(.file, books: 100)
        var books: BatchedArray<ManagedObject>?
        #expect(try stage.queries { books = try stage.context.fetchBatched(Self.batch) }.count == 1)
        let array = try #require(books)
        #expect(array.count == 100)
        #expect(try stage.queries { try #require(try array[99].int("number") == 99) }.count == 1)
        #expect(try stage.queries { try #require(try array[80].int("number") == 80) }.isEmpty)
        #expect(try stage.queries { try #require(try array.numbers() == Array(0..<100)) }.count == 4)
        #expect(try stage.queries { try #require(try array.reversed().numbers() == (0..<100).reversed()) }.isEmpty)
    }

    @Test func `far batches are dropped, their objects with them, and read again when they are wanted`() throws {
        let stage = try ShopStage(.file, books: 6_000)
        let array = try stage.context.fetchBatched(.books { $0.fetchBatchSize = 50 })
        #expect(array.allSatisfy { !$0.isFault })
        #expect(array.pageCount == 4)
        #expect(stage.context.registeredObjects.count < 2_000)
        #expect(try stage.queries { try #require(try array[0].int("number") == 0) }.count <= 1)
    }

    @Test func `what is prefetched comes with each batch`() throws {
        let stage = try ShopStage(.file, books: 40)
        let array = try stage.context.fetchBatched(
            .books {
                $0.fetchBatchSize = 20
                $0.relationshipKeyPathsForPrefetching = ["shelf"]
            })
        stage.context.lazyLoading = .refused
        #expect(stage.queries { _ = array[0] }.count == 2)
        let walk = try stage.queries {
            for book in array { _ = try stage.context.object(at: "shelf", of: book).value(forKey: "name") }
        }
        #expect(walk.count == 1)
    }

    @Test(arguments: ShopPlace.allCases)
    func `unsaved changes stand where the order wants them`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 700)
        let context = stage.newContext()
        let books = try context.fetch(.books { $0.fetchLimit = 10 })
        context.delete(books[0])
        try books[1].setValue(450, forKey: "number")
        let new = try context.insert(try #require(stage.stack.model.entitiesByName["Novel"]))
        try new.setValue(3, forKey: "number")
        let expected = [2, 3, 3] + (4..<451).map(Int64.init) + [450] + (451..<700).map(Int64.init)
        let array = try context.fetchBatched(.books { $0.fetchBatchSize = 64 })
        #expect(try array.numbers() == expected)
        #expect(try context.objectIDs(.books()) == context.fetch(.books()).map(\.anyObjectID))
        try context.save()
        #expect(try array.numbers() == expected)
        // Of equal objects the new ones came last; the store has them by their keys.
        #expect(Set(array.objectIDs.map(\.erased)) == Set(try context.objectIDs(.books())))
    }

    @Test func `few unsaved changes are sorted in without reading everything`() throws {
        let stage = try ShopStage(.file, books: 2_000)
        let new = try stage.context.insert(try #require(stage.stack.model.entitiesByName["Book"]))
        try new.setValue(1_000, forKey: "number")
        let queries = try stage.queries {
            try #require(try stage.context.objectIDs(.books())[1_001] == new.anyObjectID)
        }
        #expect(queries.count <= 13)
    }

    @Test(arguments: ShopPlace.allCases)
    func `an object that is deleted meanwhile keeps its place and reads as deleted`(place: ShopPlace) throws {
        let stage = try ShopStage(place, books: 60)
        let (context, other) = (stage.newContext(), stage.newContext())
        let array = try context.fetchBatched(Self.batch)
        _ = array[0]
        let theirs = try other.fetch(.books())
        for book in theirs[30..<60] { other.delete(book) }
        try other.save()
        context.mergeCommits()
        #expect(array.count == 60)
        #expect(try array[29].int("number") == 29 && !array[29].isDeleted)
        #expect(throws: FetchError.self) { try array[45].fault() }
        #expect(array[45].isDeleted)
        #expect(try array[45].value(forKey: "title") == nil)
    }

    @Test func `after a reset the batches are read again`() throws {
        let stage = try ShopStage(.memory, books: 30)
        let array = try stage.context.fetchBatched(Self.batch)
        let first = array[0]
        stage.context.reset()
        #expect(array[0] !== first)
        #expect(try array.numbers() == Array(0..<30))
    }

    @Test func `an array of another class is refused`() throws {
        let stage = try ShopStage(.memory, books: 1)
        #expect(throws: FetchError.self) { try stage.context.fetchBatched(Self.batch, of: Stranger.self) }
    }

    private final class Stranger: ManagedObject {}
}
