#if Macros
    import DataMonk
    import DataMonkSQLite
    import Foundation

    extension FaultWorkload {
        /// A copy of another store takes the place of the store.
        static let replacing = FaultWorkload(
            name: "replacing",
            fill: { url in
                try Bookcase.fill(url, covers: true)
                let other = url.deletingLastPathComponent().appending(path: "other.sqlite")
                try Bookcase.fill(other, covers: true)
                let stack = Stack(model: try Bookcase.model.get())
                try stack.addDatabaseStore(fileURL: other)
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                for (number, shelf) in try context.shelves().enumerated() {
                    shelf.name = "other \(number)"
                    shelf.order.last?.cover = Bookcase.cover(number + 40)
                }
                try context.save()
                context.endTurn()
                try stack.close()
            },
            opensFirst: false,
            body: { run in
                let other = run.folder.file("other.sqlite")
                try run.attempt { _ = try SQLiteStore.replace(run.url, with: other) }
            }, check: { try $0.checkForOrphans() })

        /// The objects are copied into a new store, which is there as a whole or not at all.
        static let migratingStore = FaultWorkload(
            name: "migrating a store", fill: { try Bookcase.fill($0, covers: true) }, opensFirst: false
        ) { run in
            let new = run.folder.file("new.sqlite")
            try run.attempt {
                if FileManager.default.fileExists(atPath: new.path) { return }
                let stack = Stack(model: try Bookcase.model.get())
                try stack.copyObjects(of: .database(fileURL: run.url), into: .database(fileURL: new))
            }
            run.heal()
            guard try Self.dump(new) == Self.dump(run.url) else {
                throw FaultRun.Violation(description: "The new store is not as the old one.")
            }
            let findings = try Stack.examine(storeAt: new).findings.filter { $0.kind != .orphanFile }
            guard findings.isEmpty else {
                throw FaultRun.Violation(description: "The examination finds \(findings).")
            }
        }

        /// A store that is destroyed beside the one that stays.
        static let destroying = FaultWorkload(
            name: "destroying",
            fill: { url in
                try Bookcase.fill(url)
                try Bookcase.fill(url.deletingLastPathComponent().appending(path: "old.sqlite"), covers: true)
            },
            opensFirst: false,
            body: { run in
                let old = run.folder.file("old.sqlite")
                try run.attempt { _ = try SQLiteStore.destroy(old) }
                let rest = try FileManager.default.contentsOfDirectory(atPath: run.folder.url.path)
                guard !rest.contains(where: { $0.contains("old") }) else {
                    throw FaultRun.Violation(description: "There is still \(rest).")
                }
            })

        private static func dump(_ url: URL) throws -> GraphDump {
            let stack = Stack(model: try Bookcase.model.get())
            try stack.addDatabaseStore(fileURL: url, readOnly: true)
            let dump = try GraphDump(stack)
            try stack.close()
            return dump
        }
    }
#endif
