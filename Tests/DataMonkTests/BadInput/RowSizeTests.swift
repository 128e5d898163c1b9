#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// An object whose values would add up to more than a row can hold: whatever the path, it is refused with a typed error,
    /// and nothing is changed. The limit is two gigabytes; here, in a process of its own for each path, it is smaller.
    @Suite struct `Rows that are too large` {
        @Test(arguments: OversizedPath.allCases, SizeStage.Kind.allCases)
        func `are refused, and nothing is changed`(path: OversizedPath, kind: SizeStage.Kind) async {
            await #expect(processExitsWith: .success) {
                [path = path as OversizedPath, kind = kind as SizeStage.Kind] in
                let stage = try SizeStage(kind)
                let before = try stage.stored()
                try path.run(stage)
                #expect(try stage.stored() == before || path.changes)
                // A value that fits is still taken.
                let context = stage.newContext()
                let page = try context.onlyPage()
                page.note = "fits"
                try context.save()
                #expect(try stage.newContext().onlyPage().note == "fits")
            }
        }

        /// Rows of both ways of loading: column by column, and value by value.
        @Test(arguments: ["Leaf", "Page"])
        func `of a file are told to whoever asks for them, and do not hide the others`(entity: String) async {
            await #expect(processExitsWith: .success) { [entity = entity as String] in
                let stage = try SizeStage(.file)
                let context = stage.newContext()
                let large = try context.insert(try #require(stage.stack.model.entitiesByName[entity]))
                try large.setValue(SizeStage.text(SizeStage.limit - 500), forKey: "note")
                try context.save()
                let uri = large.anyObjectID.uri
                let count = try context.count(FetchRequest(entityName: entity))
                context.endTurn()
                RowFormat.maximumSize = SizeStage.limit / 2
                let other = try stage.reopened()
                let errors = Locked<[any Error]>([])
                other.onError { error in errors.withLock { $0.append(error) } }
                let reading = ManagedObjectContext(coordinator: other.coordinator)
                #expect(try reading.fetch(FetchRequest(entityName: entity)).count == count - 1)
                let reported = errors.withLock { $0 }
                #expect(reported.count == 1 && (reported.first as? StoreError)?.code == .readFailed)
                let id = try #require(other.objectID(forURI: uri))
                let error = #expect(throws: StoreError.self) { try reading.existingObject(with: id) }
                #expect(error?.code == .readFailed && error?.entityName == entity)
                reading.endTurn()
                try other.close()
            }
        }

        @Test func `of files of their own are refused by their size`() async {
            await #expect(processExitsWith: .success) {
                let stage = try SizeStage(.file)
                let context = stage.newContext()
                try context.onlyPage().scan = Data(count: 110 << 10)
                try context.save()
                context.endTurn()
                RowFormat.maximumSize = 100 << 10
                let reading = stage.newContext()
                let page = try reading.onlyPage()
                let error = #expect(throws: StoreError.self) { try page.value(forKey: "scan") }
                #expect(error?.code == .readFailed)
                // The setter's substitute is never saved.
                page.note = "\(page.scan?.count ?? -1)"
                let refusal = #expect(throws: SaveError.self) { try reading.save() }
                #expect(refusal?.code == .unreadValues)
            }
        }
    }

    /// A way to make an object too large, and what it is answered.
    enum OversizedPath: String, CaseIterable, Codable {
        case settingAProperty, settingByName, settingAPrimitive, inserting, longValue
        case insertingABatch, insertingABatchByCalls, updatingByConstants, updatingToTogether
        case merging, refreshing, savingAChild, deriving, derivingOfOthers

        /// Indicates that another context commits its part.
        var changes: Bool { [.merging, .refreshing].contains(self) }

        private static let half = SizeStage.limit * 3 / 5

        func run(_ stage: SizeStage) throws {
            switch self {
            case .settingAProperty, .settingByName, .settingAPrimitive, .longValue: try set(stage.newContext())
            case .inserting: try insert(stage.newContext())
            case .insertingABatch, .insertingABatchByCalls, .updatingByConstants, .updatingToTogether:
                try runBatch(stage)
            case .merging, .refreshing: try merge(stage)
            case .savingAChild: try saveChild(stage)
            case .deriving, .derivingOfOthers: try derive(stage.newContext())
            }
        }

        private func set(_ context: ManagedObjectContext) throws {
            let page = try context.onlyPage()
            let before = page.note
            switch self {
            case .settingAProperty:
                page.note = String(repeating: "x", count: SizeStage.limit)
                #expect(page.note == before)
                try expectRefusal(of: "note", context)
                page.note = "short"
                // Nobody knows what was computed from the value that was kept.
                try expectRefusal(of: "note", context)
                context.rollback()
            case .longValue:
                // In the end it would lie outside of the row, but it comes there with a save.
                page.scan = Data(count: SizeStage.limit)
                #expect(page.scan == nil)
                try expectRefusal(of: "scan", context)
                context.rollback()
            case .settingAPrimitive:
                expectError("note") { try page.setPrimitiveValue(SizeStage.text(SizeStage.limit), forKey: "note") }
            default:
                expectError("note") { try page.setValue(SizeStage.text(SizeStage.limit), forKey: "note") }
            }
            #expect(page.note == before && page.scan == nil)
            try context.save()
        }

        private func insert(_ context: ManagedObjectContext) throws {
            let page = try context.insert(SizeStage.Page.self)
            expectError("note") { try page.setValue(SizeStage.text(SizeStage.limit), forKey: "note") }
            page.picture = Data(count: SizeStage.limit)
            try expectRefusal(of: "picture", context)
            context.rollback()
            #expect(!context.hasChanges)
        }

        private func runBatch(_ stage: SizeStage) throws {
            let context = stage.newContext()
            let (half, picture) = (SizeStage.text(Self.half), Data(count: Self.half))
            switch self {
            case .insertingABatch:
                let objects: [[String: ManagedValue]] = [["note": "1"], ["note": half, "picture": .data(picture)]]
                expectError(nil) { try context.execute(BatchInsertRequest(entityName: "Page", objects: objects)) }
            case .insertingABatchByCalls:
                let left = Locked(2)
                let request = BatchInsertRequest(entityName: "Page") { values in
                    values = ["note": half, "picture": .data(picture)]
                    return left.withLock { left in
                        left -= 1
                        return left < 0
                    }
                }
                expectError(nil) { try context.execute(request) }
            case .updatingByConstants:
                // The title fits, but not what is derived from it.
                let request = BatchUpdateRequest(entityName: "Page", propertiesToUpdate: ["title": .value(half)])
                expectError("folded") { try context.execute(request) }
            default:
                // SQLite has a limit of its own for rows, which is smaller.
                if stage.kind == .file { return }
                try context.onlyPage().picture = picture
                try context.save()
                let constant = BatchUpdateRequest(entityName: "Page", propertiesToUpdate: ["note": .value(half)])
                expectError("note") { try context.execute(constant) }
                #expect(try stage.newContext().onlyPage().note == "note")
                try context.onlyPage().picture = nil
                try context.save()
            }
        }

        /// Each of two contexts adds a part that fits.
        private func merge(_ stage: SizeStage) throws {
            let context = stage.newContext(.mergeByPropertyObjectTrump)
            let page = try context.onlyPage()
            page.picture = Data(count: Self.half)
            context.endTurn()
            let other = stage.newContext()
            try other.onlyPage().note = String(repeating: "x", count: Self.half)
            try other.save()
            if self == .refreshing { try context.refresh(page, mergeChanges: true) }
            try expectRefusal(of: "picture", context)
            context.rollback()
            #expect(page.picture == nil && page.note.count == Self.half)
        }

        private func saveChild(_ stage: SizeStage) throws {
            let parent = stage.newContext()
            let child = ManagedObjectContext(parent: parent, automaticallyMergesChangesFromParent: false)
            try child.onlyPage().picture = Data(count: Self.half)
            try parent.onlyPage().note = String(repeating: "x", count: Self.half)
            try child.save()
            try expectRefusal(of: "picture", parent)
            parent.rollback()
        }

        private func derive(_ context: ManagedObjectContext) throws {
            let page = try context.onlyPage()
            if self == .deriving {
                page.title = String(repeating: "x", count: Self.half)
                try expectRefusal(of: "folded", context)
                context.rollback()
                return
            }
            // In a file, SQL writes what is derived from others.
            if context.coordinator.stores.first?.url != nil { return }
            let leaf = try context.insert(SizeStage.Leaf.self)
            leaf.note = String(repeating: "x", count: Self.half)
            leaf.page = page
            page.note = String(repeating: "x", count: Self.half)
            expectError("pageNote") { try context.save() }
            context.rollback()
        }

        private func expectError(_ key: String?, _ body: () throws -> some Any) {
            let error = #expect(throws: FetchError.self, "\(self)") { _ = try body() }
            #expect(error?.code == .valueTooLarge && (key == nil || error?.keyPath == key), "\(self)")
        }

        private func expectRefusal(of key: String, _ context: ManagedObjectContext) throws {
            let error = #expect(throws: SaveError.self, "\(self)") { try context.save() }
            #expect(error?.code == .valueTooLarge && error?.validationProblems.first?.key == key, "\(self)")
        }
    }

    /// One stored page and one stored leaf, in a process in which rows are small.
    final class SizeStage {
        enum Kind: String, CaseIterable, Codable { case memory, file }

        static let limit = 300 << 10
        private static let model = Result { try ManagedObjectModel(classes: [Page.self, Leaf.self]) }

        @Entity("Page") final class Page: ManagedObject {
            var title: String = ""
            @Attribute(.derived("canonical:(title)")) private(set) var folded: String = ""
            var note: String = ""
            var picture: Data?
            @Attribute(.externalStorage) var scan: Data?
            var leaves: Set<Leaf>
        }

        @Entity("Leaf") final class Leaf: ManagedObject {
            var note: String = ""
            @Relationship(inverse: \Page.leaves) var page: Page?
            @Attribute(.derived("page.note")) private(set) var pageNote: String?
        }

        let kind: Kind
        let stack: Stack
        private let folder: TemporaryFolder
        /// Objects do not outlive their context.
        private var contexts: [ManagedObjectContext] = []

        init(_ kind: Kind) throws {
            RowFormat.maximumSize = Self.limit
            (self.kind, folder) = (kind, try TemporaryFolder())
            stack = Stack(model: try Self.model.get())
            switch kind {
            case .memory: try stack.addInMemoryStore()
            case .file: try stack.addDatabaseStore(fileURL: folder.file("pages.sqlite"), synchronous: .normal)
            }
            let context = newContext()
            try context.insert(Page.self).note = "note"
            try context.insert(Leaf.self).note = "leaf"
            try context.save()
        }

        /// A text of a number of bytes.
        static func text(_ count: Int) -> ManagedValue { .string(String(repeating: "x", count: count)) }

        /// Another stack over the file.
        func reopened() throws -> Stack {
            let other = Stack(model: try Self.model.get())
            try other.addDatabaseStore(fileURL: folder.file("pages.sqlite"), synchronous: .normal)
            return other
        }

        func newContext(_ mergePolicy: MergePolicy = .error) -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(coordinator: stack.coordinator, mergePolicy: mergePolicy)
            contexts.append(context)
            return context
        }

        /// The sizes of all values.
        func stored() throws -> [[Int]] {
            let context = newContext()
            let pages = try context.all(Page.self)
            let leaves = try context.all(Leaf.self)
            let sizes = pages.map { page in
                let texts = [page.title.count, page.folded.count, page.note.count]
                return texts + [page.picture?.count ?? -1, page.scan?.count ?? -1]
            }
            return sizes + leaves.map { [$0.note.count, $0.pageNote?.count ?? -1] }
        }
    }

    extension ManagedObjectContext {
        fileprivate func onlyPage() throws -> SizeStage.Page { try #require(try all(SizeStage.Page.self).first) }
    }
#endif
