import DataMonk
import Foundation
import Testing

/// Derived values of another type than the attribute's, which memory and a file's triggers bring into it alike.
@Suite struct `Derived values in the attribute's type` {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Trip") {
                AttributeDescription("mean", .integer64, derivationExpression: "visits.@avg.length")
                AttributeDescription("total", .integer64, derivationExpression: "visits.@sum.length")
                AttributeDescription("wide", .double, derivationExpression: "visits.@sum.length")
                AttributeDescription("small", .integer16, derivationExpression: "visits.@sum.length")
                AttributeDescription("longest", .integer32, derivationExpression: "visits.@max.length")
                AttributeDescription("cost", .integer32, derivationExpression: "visits.@sum.price")
                AttributeDescription("isLong", .boolean, derivationExpression: "visits.@sum.length")
                RelationshipDescription("visits", to: "Visit", inverse: "trip", isToMany: true)
            }
            EntityDescription("Visit") {
                AttributeDescription("length", .integer64)
                AttributeDescription("price", .decimal)
                RelationshipDescription("trip", to: "Trip")
            }
        }
    }

    /// Saves a trip with visits of some lengths, and checks a value in the saving context, in another one, and in a condition.
    private func check(
        _ name: String, is expected: ManagedValue, of lengths: [Int64], _ kind: Gallery.Kind
    ) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let stack = Stack(model: try Self.model.get())
        switch kind {
        case .memory: try stack.addInMemoryStore()
        case .file: try stack.addDatabaseStore(fileURL: folder.file("trips.sqlite"), synchronous: .normal)
        }
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let trip = try context.insert(try #require(stack.model.entitiesByName["Trip"]))
        for length in lengths {
            let visit = try context.insert(try #require(stack.model.entitiesByName["Visit"]))
            try visit.setValue(.int(length), forKey: "length")
            try visit.setValue(.decimal(1.25), forKey: "price")
            try visit.setValue(.object(trip.anyObjectID), forKey: "trip")
        }
        try context.save()
        #expect(try trip.value(forKey: name) == expected)
        let other = ManagedObjectContext(coordinator: stack.coordinator)
        #expect(try other.existingObject(with: trip.anyObjectID).value(forKey: name) == expected)
        let request = FetchRequest(entityName: "Trip", condition: .compare(name, .equal, expected))
        #expect(try other.count(request) == 1, "\(name) == \(expected)")
        for context in [context, other] { context.endTurn() }
        try stack.close()
    }

    @Test(arguments: Gallery.Kind.allCases) func `an integer has no fraction`(kind: Gallery.Kind) throws {
        try check("mean", is: 2, of: [2, 3], kind)
        try check("mean", is: -2, of: [-2, -3], kind)
        try check("cost", is: 3, of: [1, 1, 1], kind)
    }

    @Test(arguments: Gallery.Kind.allCases)
    func `a sum of more than 64 bits is nil in an integer, and a double in a double`(kind: Gallery.Kind) throws {
        for lengths: [Int64] in [[.max, 1], [.min, -1]] {
            try check("total", is: nil, of: lengths, kind)
            try check("wide", is: .double(lengths[0] < 0 ? -0x1p63 : 0x1p63), of: lengths, kind)
        }
    }

    @Test(arguments: Gallery.Kind.allCases)
    func `a sum is exact, whatever it was in between`(kind: Gallery.Kind) throws {
        try check("total", is: .int(.max), of: [.max, 1, -1], kind)
        try check("total", is: .int(.min), of: [.min, .max, -.max], kind)
        try check("total", is: 0, of: [], kind)
        try check("small", is: -3, of: [.max, .min, -2], kind)
    }

    @Test(arguments: Gallery.Kind.allCases) func `a value that is too large is nil`(kind: Gallery.Kind) throws {
        try check("small", is: nil, of: [20_000, 20_000], kind)
        try check("longest", is: nil, of: [1, 1 << 40], kind)
        try check("longest", is: 7, of: [1, 7], kind)
    }

    @Test(arguments: Gallery.Kind.allCases) func `a Boolean is whether a number is not 0`(kind: Gallery.Kind) throws {
        try check("isLong", is: true, of: [5, 2], kind)
        try check("isLong", is: false, of: [5, -5], kind)
    }
}
