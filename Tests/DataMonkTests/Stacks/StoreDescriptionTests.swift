#if Macros
    import DataMonk
    import Foundation
    import Testing

    @Suite struct `Descriptions of stores` {
        private let folder: TemporaryFolder
        private var url: URL { folder.file("Shop.sqlite") }

        init() throws { folder = try TemporaryFolder() }

        /// Two versions of one entity, which differ by an attribute.
        private static func version(_ attributes: String...) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                entities: [
                    EntityDescription(
                        "Item", properties: attributes.map { .attribute(AttributeDescription($0, .string)) })
                ],
                configurations: ["Some": ["Item"]])
        }

        @Test func `tell what a stack has open`() async throws {
            let stack = try Stack(Person.self)
            #expect(stack.storeDescriptions.isEmpty)
            var description = StoreDescription.database(fileURL: url, synchronous: .normal)
            description.tracksHistory = true
            try await stack.addStore(description)
            #expect(stack.storeDescriptions.map(\.url) == [url])
            #expect(stack.storeDescriptions[0].tracksHistory && stack.storeDescriptions[0].synchronous == .normal)
            #expect(stack.storeDescriptions[0].type == .sqlite)
            // Once more with the same options is nothing new.
            try await stack.addStore(description)
            #expect(stack.storeDescriptions.count == 1)
            try stack.close()
            #expect(stack.storeDescriptions.isEmpty)
        }

        @Test func `tell of stores in memory, in the order of their addition`() throws {
            let model = try Self.version("name")
            let stack = Stack(model: model)
            try stack.addInMemoryStore(configuration: "Some")
            try stack.addDatabaseStore(fileURL: url)
            #expect(stack.storeDescriptions.map(\.type) == [.inMemory, .sqlite])
            #expect(stack.storeDescriptions.map(\.configuration) == ["Some", nil])
            #expect(stack.storeDescriptions[0].url == nil)
        }

        @Test func `a store that was refused is not among those that are open`() throws {
            let stack = Stack(model: try Self.version("name"))
            try Data("no database".utf8).write(to: url)
            #expect(throws: StoreError.self) { try stack.addDatabaseStore(fileURL: url) }
            #expect(stack.storeDescriptions.isEmpty)
        }

        @Test func `other options for an open file are refused`() throws {
            let stack = try Stack(Person.self)
            try stack.addDatabaseStore(fileURL: url)
            let error = #expect(throws: StoreError.self) {
                try stack.addDatabaseStore(fileURL: url, infersMapping: false)
            }
            #expect(error?.code == .openFailed)
        }

        // MARK: Versions

        @Test func `without an inferred mapping a store of another version is refused and stays as it is`() throws {
            let old = Stack(model: try Self.version("name"))
            try old.addDatabaseStore(fileURL: url)
            try old.close()
            let before = try Data(contentsOf: url)
            let new = Stack(model: try Self.version("name", "note"))
            for resets in [false, true] {
                let error = #expect(throws: MigrationError.self) {
                    try new.addDatabaseStore(fileURL: url, infersMapping: false, resetOnFailure: resets)
                }
                #expect(error?.code == .missingMapping)
                #expect(error?.message.contains("infersMapping") == true)
            }
            #expect(try Data(contentsOf: url) == before)
            try new.addDatabaseStore(fileURL: url)
        }

        @Test func `the metadata of a store tells whether a model fits it`() throws {
            let model = try Self.version("name")
            let stack = Stack(model: model)
            try stack.addDatabaseStore(fileURL: url)
            let metadata = try Stack.metadata(ofStoreAt: url)
            #expect(try model.isConfiguration(nil, compatibleWithStoreMetadata: metadata))
            #expect(try model.isConfiguration("Some", compatibleWithStoreMetadata: metadata))
            let other = try Self.version("name", "note")
            #expect(try !other.isConfiguration(nil, compatibleWithStoreMetadata: metadata))
            #expect(try !model.isConfiguration(nil, compatibleWithStoreMetadata: [:]))
            let later = metadata.merging(["NSStoreModelVersionHashesVersion": 4]) { _, new in new }
            #expect(try !model.isConfiguration(nil, compatibleWithStoreMetadata: later))
            let error = #expect(throws: ModelError.self) {
                try model.isConfiguration("Nothing", compatibleWithStoreMetadata: metadata)
            }
            #expect(error?.code == .unknownConfiguration)
        }
    }
#endif
