import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Ids that name the number of one object and the entity of another.
@Suite struct `The key of another entity` {
    enum Kind: CaseIterable {
        case memory, database, xml, binary, records

        func description(in folder: TemporaryFolder) -> StoreDescription {
            switch self {
            case .memory: .inMemory()
            case .database: .database(fileURL: folder.file("Animals.sqlite"), synchronous: .normal)
            case .xml: .xml(fileURL: folder.file("Animals.xml"))
            case .binary: .binary(fileURL: folder.file("Animals.binary"))
            case .records: .custom(RecordStore())
            }
        }
    }

    @Test(arguments: Kind.allCases) func `finds nothing, and changes nothing`(kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let stack = Stack(model: try RecordStore.model())
        try await stack.addStore(kind.description(in: folder))
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let dog = try context.insert("Dog", ["name": "Rex"])
        try context.save()
        let text = dog.anyObjectID.uri.absoluteString
        for other in ["Cat", "Person"] {
            let uri = try #require(URL(string: text.replacingOccurrences(of: "/Dog/", with: "/\(other)/")))
            let id = try #require(stack.objectID(forURI: uri))
            let next = ManagedObjectContext(coordinator: stack.coordinator)
            let error = #expect(throws: FetchError.self) { try next.existingObject(with: id) }
            #expect(error?.code == .objectNotFound)
            #expect(try next.objects(with: [id]).isEmpty)
            let person = try next.insert("Person")
            try person.setValue(.object(dog.anyObjectID), forKey: "pet")
            if other == "Cat" {
                #expect(throws: (any Error).self) {
                    try person.setValue(.object(id), forKey: "pet")
                    try next.save()
                }
            }
            next.endTurn()
        }
        #expect(try context.fetch(FetchRequest(entityName: "Animal")).map(\.entity.name) == ["Dog"])
        context.endTurn()
        try stack.close()
    }
}
