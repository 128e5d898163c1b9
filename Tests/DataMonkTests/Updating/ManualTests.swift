import DataMonk
import Foundation
import Testing

@Suite @MainActor struct ManualTests {
    @Test(arguments: [false, true]) func `the story of the manual`(isFile: Bool) async throws {
        let stack = try Stack(Person.self)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite")
        if isFile { try stack.addDatabaseStore(fileURL: url) } else { try stack.addInMemoryStore() }
        let World = try MainContext(stack: stack)

        try await World.update { update in
            let farmer = try update.create(Person.self)
            farmer.name = "Farmer"
            farmer.age = 28
            let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
            knight.friend = farmer
            #expect(farmer.friends == [knight])
            try update.commit()
            #expect(!knight.objectID.isTemporaryID)
        }
        let knight = try World.fetch(Person.self, %"name" == "Knight")
        #expect(knight.friend?.name == "Farmer")
        #expect(knight.friend?.friends == [knight])
        let all = try World.fetchAll(
            Person.self, %"age" >= 18 || %"location" == "Taipei", orderBy: .Ascending("name") | .Descending("age"),
            options: .Limit(100) | .Offset(0))
        #expect(all.map(\.name) == ["Farmer", "Knight"])
        let mean = try World.queryValue(Person.self, .Average("age"))
        #expect(mean == .decimal(23))

        let id = knight.objectID
        try await World.update { update in
            let knight = try update.use(id)
            knight.age += 1
            knight.friend = nil
            try update.commit()
        }
        #expect(try World.fetch(Person.self, id).age == 19)
        #expect(knight.age == 19)
        #expect(knight.friend == nil)
        #expect(try World.fetch(Person.self, %"name" == "Farmer").friends.isEmpty)

        try await World.update { update in
            try update.delete(id)
            try update.commit()
        }
        #expect(try World.count(Person.self) == 1)
        #expect(knight.isDeleted)
    }
}
