import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Where a test's bookshop lies.
enum ShopPlace: CaseIterable {
    case memory, file
}

/// A bookshop in a store, and a context on a stack that knows nothing of its rows yet.
final class ShopStage {
    let stack: Stack
    let context: ManagedObjectContext
    private let recorder = StatementRecorder()
    private let folder: TemporaryFolder
    private var contexts: [ManagedObjectContext] = []

    /// - Parameter books: how many: title "b<number % 5>", pages and number ascending, on four shelves in two rooms, each
    ///   third a novel.
    init(_ kind: ShopPlace, books: Int) throws {
        folder = try TemporaryFolder()
        let model = try Bookshop.model.get()
        let recorder = recorder
        let reading = Stack(model: model, trace: { recorder.record($0, by: "store") })
        let file = folder.file("bookshop.sqlite")
        let writing: Stack
        if kind == .file {
            writing = Stack(model: model)
            try writing.addDatabaseStore(fileURL: file, synchronous: .normal)
        } else {
            writing = reading
            try writing.addInMemoryStore()
        }
        try Self.fill(ManagedObjectContext(coordinator: writing.coordinator), books)
        if kind == .file { try reading.addDatabaseStore(fileURL: file, synchronous: .normal) }
        stack = reading
        context = ManagedObjectContext(coordinator: reading.coordinator)
    }

    private static func fill(_ context: ManagedObjectContext, _ books: Int) throws {
        let entities = context.coordinator.model.entitiesByName
        func insert(_ name: String) throws -> ManagedObject { try context.insert(#require(entities[name])) }
        var shelves: [ManagedObject] = []
        for number in 0..<2 {
            let room = try insert("Room")
            try room.setValue(.string("r\(number)"), forKey: "name")
            for place in 0..<2 {
                let shelf = try insert("Shelf")
                try shelf.setValue(.string("s\(number)\(place)"), forKey: "name")
                try shelf.setValue(.object(room.anyObjectID), forKey: "room")
                shelves.append(shelf)
            }
        }
        for number in 0..<books {
            let book = try insert(number % 3 == 2 ? "Novel" : "Book")
            try book.setValue(.int(Int64(number)), forKey: "number")
            try book.setValue(.string("b\(number % 5)"), forKey: "title")
            try book.setValue(.int(Int64(number * 10)), forKey: "pages")
            try book.setValue(.decimal(Decimal(number) / 10), forKey: "price")
            try book.setValue(.object(shelves[number % 4].anyObjectID), forKey: "shelf")
        }
        try context.save()
    }

    /// Another context on the same stack.
    func newContext(followsCommits: Bool = true) -> ManagedObjectContext {
        for context in contexts { context.endTurn() }
        let context = ManagedObjectContext(coordinator: stack.coordinator, followsCommits: followsCommits)
        contexts.append(context)
        return context
    }

    /// A stack of its own over the same file, as another program would have it.
    func newStack() throws -> Stack {
        let other = Stack(model: try Bookshop.model.get())
        try other.addDatabaseStore(fileURL: folder.file("bookshop.sqlite"), synchronous: .normal)
        return other
    }

    func queries(_ body: () throws -> Void) rethrows -> [String] { try recorder.queries(body) }
}

extension FetchRequest {
    /// Books by their number.
    static func books(_ change: (inout FetchRequest) -> Void = { _ in }) -> FetchRequest {
        var request = FetchRequest(entityName: "Book")
        request.sortTerms = [SortTerm("number")]
        change(&request)
        return request
    }
}

extension ManagedObject {
    func int(_ key: String) throws -> Int64? {
        guard case .int(let number) = try value(forKey: key) else { return nil }
        return number
    }
}

extension Sequence where Element: ManagedObject {
    func numbers() throws -> [Int64?] { try map { try $0.int("number") } }
}

extension Sequence where Element: ManagedObject {
    var faultCount: Int { reduce(0) { $0 + ($1.isFault ? 1 : 0) } }
}
