#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite @MainActor struct OtherStoresTests {
        @Test func `a store without its classes`() async throws {
            try await Village.withFile { url in
                let first = try Stack(Person.self)
                try first.addDatabaseStore(fileURL: url)
                try first.close()
                try await read(url)
            }
        }

        private func read(_ url: URL) async throws {
            let stack = Stack(model: try ManagedObjectModel.load(fromStoreAt: url))
            try stack.addDatabaseStore(fileURL: url)
            let World = try MainContext(stack: stack)

            try await World.update { update in
                let person = try update.create(entityName: "Person")
                try person.setValue("Monk", forKey: "name")
                try update.commit()
            }
            #expect(try World.count(entityName: "Person", %"name" == "Monk") == 1)

            for person in try World.fetchAll(entityName: "Person", %"age" >= 18) {
                let name = try person.value(forKey: "name")
                let friends = try person.objects(forKey: "friends")
                print(name, friends.count)
            }
            try stack.close()
        }

        @Test func `a model in a bundle`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonk-\(UUID())")
            let contents = folder.appending(path: "Village.xcdatamodel/contents")
            try FileManager.default.createDirectory(
                at: contents.deletingLastPathComponent(), withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let model = """
                <model><entity name="Person" representedClassName="Person">
                    <attribute name="name" attributeType="String" defaultValueString=""/>
                    <attribute name="age" attributeType="Integer 64" defaultValueString="0"/>
                    <attribute name="location" optional="YES" attributeType="String"/>
                    <relationship name="friend" optional="YES" maxCount="1" destinationEntity="Person" inverseName="friends"/>
                    <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friend"/>
                </entity></model>
                """
            try Data(model.utf8).write(to: contents)
            let bundle = try #require(Bundle(url: folder))
            let stack = try Stack(modelName: "Village", bundle: bundle, classes: [Person.self])
            #expect(stack.model.entities.map(\.name) == ["Person"])
        }
    }
#endif
