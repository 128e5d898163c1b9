#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Stacks, stores and objects for tests of `DataMonkTesting`.
    @Suite struct `Stacks and objects for tests` {
        // MARK: In memory

        @Test func `each stack in memory is another one`() async throws {
            let stacks = try (0..<20).map { _ in try Stack.inMemory(Person.self) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (number, stack) in stacks.enumerated() {
                    group.addTask {
                        let context = try Context(stack: stack)
                        try await context.update { update in
                            for _ in 0..<number { _ = try update.create(Person.self) }
                            try update.commit()
                        }
                        return try await context.read { try $0.count(Person.self) } - number
                    }
                }
                for try await difference in group { #expect(difference == 0) }
            }
        }

        @Test func `a stack in memory may keep a history`() throws {
            let model = try ManagedObjectModel(classes: [Person.self])
            let stack = try Stack.inMemory(model: model, tracksHistory: true)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try context.insert(Person.self)
            try context.save()
            #expect(try stack.history().count == 1)
        }

        // MARK: Objects

        @Test func `objects of no stack have values, relationships and sides`() throws {
            let objects = try TestObjects(Person.self)
            let farmer = try objects.create(Person.self) { $0.name = "Farmer" }
            let monk = try objects.create(Person.self) { $0.friend = farmer }
            #expect(monk.name == "" && monk.friend === farmer && farmer.friends == [monk])
            try objects.managedObjectContext.save()
            #expect(try objects.editor.fetchAll(Person.self, %"friend.name" == "Farmer") == [monk])
        }

        @Test func `what a block throws is thrown`() throws {
            let objects = try TestObjects(Person.self)
            #expect(throws: CocoaError.self) {
                try objects.create(Person.self) { _ in throw CocoaError(.fileNoSuchFile) }
            }
        }

        // MARK: Files

        @Test func `a temporary store goes with its block, also by an error`() async throws {
            let url = try await withTemporaryStore { url in
                let stack = try Stack(Person.self)
                try stack.addDatabaseStore(fileURL: url)
                try stack.close()
                #expect(FileManager.default.fileExists(atPath: url.path))
                return url
            }
            #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
            var place: URL?
            await #expect(throws: CocoaError.self) {
                try await withTemporaryStore { url in
                    place = url
                    throw CocoaError(.fileNoSuchFile)
                }
            }
            #expect(try !FileManager.default.fileExists(atPath: #require(place).deletingLastPathComponent().path))
        }

        @Test func `a fixture is copied with its log and its external data, and is only read`() async throws {
            let shop = try PhotoShop()
            let stack = try shop.openStack()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try shop.insert("monk", Data(repeating: 7, count: 200_000), context)
            try context.save()
            // Open, so that the commit is in the log.
            let before = try contents(of: shop.folder.url)
            #expect(before.keys.contains { $0.hasSuffix("-wal") })
            try await withTemporaryStore(copying: shop.url) { url in
                let copy = try PhotoShop.openStack(at: url)
                #expect(try shop.images(copy) == ["monk": .data(Data(repeating: 7, count: 200_000))])
                let context = ManagedObjectContext(coordinator: copy.coordinator)
                context.delete(try context.fetch(FetchRequest(entityName: "Photo"))[0])
                try context.save()
                try copy.close()
                // Files of large values are written to in place by nobody but a test.
                let folder = url.deletingLastPathComponent()
                for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                where name.contains("_EXTERNAL_DATA/") {
                    let file = try FileHandle(forWritingTo: folder.appending(path: name))
                    try file.write(contentsOf: Data([1, 2, 3]))
                    try file.close()
                }
            }
            #expect(try contents(of: shop.folder.url) == before)
            try stack.close()
        }

        @Test func `a fixture that is not there is named`() async throws {
            let error = await #expect(throws: StoreError.self) {
                try await withTemporaryStore(copying: URL(filePath: "/nowhere/Monks.sqlite")) { _ in }
            }
            #expect(error?.code == .fileNotFound && error?.message.contains("/nowhere/Monks.sqlite") == true)
        }

        /// The bytes of a folder's files, but for the index of the log, which readers change.
        private func contents(of folder: URL) throws -> [String: Data] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try paths.reduce(into: [:]) { contents, path in
                let url = folder.appending(path: path)
                guard !path.hasSuffix("-shm"), !url.hasDirectoryPath,
                    try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
                else { return }
                contents[path] = try Data(contentsOf: url)
            }
        }
    }
#endif
