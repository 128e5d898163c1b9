import DataMonk
import Testing

/// Each call gives results of one type, and says which call gives others.
@Suite struct `The result type of a request` {
    private func request(_ type: FetchRequest.ResultType) -> FetchRequest {
        var request = FetchRequest(entityName: "Book")
        request.resultType = type
        if type == .dictionaries { request.propertiesToFetch = [.init("number")] }
        return request
    }

    private func refusal(_ body: () throws -> some Any) -> String? {
        let error = #expect(throws: FetchError.self) { _ = try body() }
        #expect(error?.code == .invalidRequest)
        return error?.message
    }

    @Test(arguments: ShopPlace.allCases)
    func `is answered by the call for it, and refused by others`(place: ShopPlace) throws {
        // Holds the store's folder.
        let stage = try ShopStage(place, books: 4)
        defer { withExtendedLifetime(stage) {} }
        let context = stage.context
        typealias ResultType = FetchRequest.ResultType
        let calls: [(ResultType, String)] = [
            (.objectIDs, "objectIDs(_:)"), (.dictionaries, "values(_:)"), (.count, "count(_:)"),
        ]
        for (type, call) in calls {
            #expect(refusal { try context.fetch(request(type)) }?.contains(call) == true)
            if type != .dictionaries { #expect(refusal { try context.values(request(type)) }?.contains(call) == true) }
            if type != .objectIDs { #expect(refusal { try context.objectIDs(request(type)) }?.contains(call) == true) }
            #expect(try context.count(request(type)) == 4)
        }
        #expect(try context.objectIDs(request(.objectIDs)).count == 4)
        #expect(try context.values(request(.dictionaries)).count == 4)
    }

    @Test(arguments: ShopPlace.allCases)
    func `is rows of values where nothing was said and columns are selected`(place: ShopPlace) throws {
        // Holds the store's folder.
        let stage = try ShopStage(place, books: 4)
        defer { withExtendedLifetime(stage) {} }
        let context = stage.context
        var request = FetchRequest(entityName: "Book")
        #expect(refusal { try context.values(request) }?.contains("needs columns") == true)
        request.propertiesToFetch = [.init(.maximum, of: "number", alias: "most")]
        #expect(try context.values(request) == [[3]])
        #expect(try context.objectIDs(FetchRequest(entityName: "Book")).count == 4)
    }
}
