#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Something that programs do with a store, in attempts that may fail.
    struct FaultWorkload: Sendable, CustomTestStringConvertible {
        let name: String
        /// Makes the store that it begins with, in an empty folder.
        var fill: @Sendable (URL) throws -> Void = { try Bookcase.fill($0) }
        /// Opens the store.
        var open: @Sendable (FaultRun) throws -> Void = { try $0.open() }
        /// Indicates whether it is opened before the first call that may fail. Otherwise the opening is an attempt.
        var opensFirst = true
        /// The number of attempts that may be in the store before the first of them has returned.
        var atOnce = 1
        let body: @Sendable (FaultRun) throws -> Void
        var check: @Sendable (FaultRun) throws -> Void = { _ in }

        func prepare(_ run: FaultRun) throws { if opensFirst { try open(run) } }

        var testDescription: String { name }

        static let all: [FaultWorkload] = [
            save, deleteCascade, batch, migration, stagedMigration, codedMigration, externalFiles, checkpoint, history,
            opening, closing, undo, lists, replacing, migratingStore, destroying, importing,
            importingFile,
        ]

        /// Reads, changes, inserts and deletes; what is computed must not come from values that were not read.
        static let save = FaultWorkload(name: "save") { run in
            try run.commit { context in
                for shelf in try context.shelves() {
                    for book in shelf.order {
                        book.pages += 10
                        if let tag = book.tags.first { tag.name += "+" }
                    }
                    if let first = shelf.order.first { shelf.managedObjectContext?.delete(first) }
                    _ = try Bookcase.book("new on \(shelf.name)", on: shelf)
                    shelf.count += shelf.books.count
                }
            }
            try run.commit { context in
                for shelf in try context.shelves() { shelf.name += "!" }
            }
        }

        static let deleteCascade = FaultWorkload(name: "delete cascade") { run in
            try run.commit { context in
                if let shelf = try context.shelves().first { context.delete(shelf) }
            }
            try run.commit { context in
                for shelf in try context.shelves() { context.delete(shelf) }
            }
        }

        static let batch = FaultWorkload(name: "batch") { run in
            let context = run.context
            try run.attempt {
                try context.execute(
                    BatchUpdateRequest(
                        entityName: "FaultBook", propertiesToUpdate: ["pages": .keyPath("pages") + 7]))
            }
            try run.attempt {
                try context.execute(
                    BatchInsertRequest(
                        entityName: "FaultTag", objects: (0..<50).map { ["name": .string("batch \($0)")] }))
            }
            try run.attempt {
                let doomed = FetchRequest(entityName: "FaultShelf", condition: .compare("name", .equal, "shelf 1"))
                try context.execute(BatchDeleteRequest(fetchRequest: doomed))
            }
        }

        static let externalFiles = FaultWorkload(
            name: "external files", fill: { try Bookcase.fill($0, covers: true) },
            body: { run in
                try run.commit { context in
                    for (number, shelf) in try context.shelves().enumerated() {
                        let books = shelf.order
                        guard books.count == 5 else { continue }
                        // One value moves, one is replaced, one is new.
                        books[1].cover = books[0].cover
                        books[0].cover = Bookcase.cover(number + 10)
                        books[2].cover = Bookcase.cover(number + 20)
                    }
                }
                try run.commit { context in
                    for shelf in try context.shelves() { if let book = shelf.order.first { context.delete(book) } }
                }
            }, check: { try $0.checkForOrphans() })

        /// More than the thousand pages after which the log is moved into the file, and then the log starts over.
        static let checkpoint = FaultWorkload(name: "checkpoint") { run in
            for round in 0..<3 {
                try run.commit { context in
                    for shelf in try context.shelves() {
                        for book in shelf.order { book.title = "\(round) \(book.pages) " + Bookcase.longText }
                    }
                }
            }
        }

        static let history = FaultWorkload(
            name: "history", fill: { try Bookcase.fill($0, tracksHistory: true) },
            open: { try $0.open(tracksHistory: true) },
            body: { run in
                try run.commit { context in
                    for shelf in try context.shelves() { shelf.name += "!" }
                }
                var transactions: [HistoryTransaction] = []
                try run.attempt { transactions = try run.stack.history() }
                try run.attempt {
                    guard transactions.count == 2, transactions.last?.changes.count == 3 else {
                        throw FaultRun.Violation(description: "The history has \(transactions.count) transactions.")
                    }
                    if let token = transactions.last?.token { _ = try run.stack.deleteHistory(before: token) }
                }
            })

        /// Opens what is there, and makes a new store beside it.
        static let opening = FaultWorkload(name: "opening", opensFirst: false) { run in
            try run.attempt {
                try run.open()
                let context = ManagedObjectContext(coordinator: run.stack.coordinator)
                defer { context.endTurn() }
                guard try context.count(FetchRequest(entityName: "FaultBook")) == 15 else {
                    throw FaultRun.Violation(description: "Books are missing.")
                }
            }
            let other = Locked<Stack?>(nil)
            try run.attempt {
                let stack = Stack(model: try Bookcase.model.get())
                try stack.addDatabaseStore(fileURL: run.folder.file("below/other.sqlite"))
                other.withLock { $0 = stack }
            }
            run.heal()
            try other.withLock { $0 }?.close()
            let contents = try StoreContents(of: run.folder.file("below/other.sqlite"))
            guard contents.tables["ZFAULTBOOK"] == [], contents.damage.isEmpty else {
                throw FaultRun.Violation(description: "The new store is not whole: \(contents.damage)")
            }
        }

        /// Moves the log into the file, and sweeps the files of deleted values.
        static let closing = FaultWorkload(
            name: "closing", fill: { try Bookcase.fill($0, covers: true) },
            open: { try $0.open(synchronous: .normal) },
            body: { run in
                try run.commit { context in
                    for shelf in try context.shelves() {
                        shelf.name += "!"
                        shelf.order.first?.cover = nil
                    }
                }
                run.context.endTurn()
                try run.age()
                try run.attempt {
                    try run.stack.close()
                } again: { _ in
                    try run.open()
                    try run.stack.close()
                }
            }, check: { try $0.checkForOrphans() })

        static let undo = FaultWorkload(
            name: "undo",
            body: { run in
                let manager = ContextUndoManager()
                run.context.undoManager = manager
                try run.commit { context in
                    manager.removeAllActions()
                    let shelves = try context.shelves()
                    guard shelves.count == 3 else { return }
                    shelves[0].count += 1
                    context.processPendingChanges()
                    context.delete(shelves[1])
                    context.processPendingChanges()
                    shelves[2].books = []
                    context.processPendingChanges()
                    for book in shelves[0].order { book.pages += 1 }
                    context.processPendingChanges()
                    for _ in 0..<3 { context.undo() }
                    context.redo()
                }
            })

        static let lists = FaultWorkload(name: "lists") { run in
            var request = FetchRequest(entityName: "FaultBook")
            request.sortTerms = [SortTerm("shelf.name"), SortTerm("title")]
            let list = try FetchedResultsController<Bookcase.Book>(
                context: run.context, request: request, sectionNameKeyPath: "shelf.name")
            try run.attempt { try list.performFetch() }
            try run.commit { context in
                for shelf in try context.shelves() {
                    shelf.name = "moved \(9 - (Int(shelf.name.suffix(1)) ?? 0))"
                    if let book = shelf.order.last { context.delete(book) }
                    _ = try Bookcase.book("a new one", on: shelf)
                }
            }
            run.heal()
            try list.refetch()
            let names = list.sections.map(\.name)
            guard names == ["moved 7", "moved 8", "moved 9"], list.count == 15 else {
                throw FaultRun.Violation(description: "The list has the sections \(names), and \(list.count) books.")
            }
        }
    }
#endif
