#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Entries with hooks and validation of their own, which share accounts and labels. A row's `order` tells its hook what
    /// to do beside its values.
    enum Bookkeeping {
        @Entity("BookkeepingAccount", userInfo: ["relatedByAttribute": "id"]) final class Account: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Attribute(.maximum(4)) var total: Int = 0
            @Attribute(.minimum(1)) var name: String = "account"
            @Relationship(deleteRule: .cascade, inverse: \Entry.account) var entries: Set<Entry>
        }

        @Entity("BookkeepingEntry", userInfo: ["relatedByAttribute": "id"]) final class Entry: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Attribute(.unique) var code: Int?
            @Attribute(.minimum(1)) var title: String = "t"
            var note: String = ""
            var account: Account?
            var label: Label?

            override func validateForInsert() throws {
                try super.validateForInsert()
                try Bookkeeping.requireOpen(managedObjectContext)
            }

            override func validateForUpdate() throws {
                try super.validateForUpdate()
                try Bookkeeping.requireOpen(managedObjectContext)
            }

            override func willSave() {
                super.willSave()
                if !isDeleted, note == "spoil", !title.isEmpty { title = "" }
            }
        }

        // Its key is not unique, so that two objects with one key are seen.
        @Entity("BookkeepingLabel", userInfo: ["relatedByAttribute": "name"]) final class Label: ManagedObject {
            var name: String = ""
            var note: String = ""
        }

        struct Refusal: Error {}

        /// Called for each entry that is imported.
        @TaskLocal static var onImport: ImportHook?

        /// Throws if there is a label that closes the books.
        private static func requireOpen(_ context: ManagedObjectContext?) throws {
            if try labels("closed", in: context).first != nil { throw Refusal() }
        }

        fileprivate static func labels(_ name: String, in context: ManagedObjectContext?) throws -> [ManagedObject] {
            try objects("BookkeepingLabel", "name", .string(name), in: context)
        }

        fileprivate static func objects(
            _ entityName: String, _ key: String, _ value: ManagedValue, in context: ManagedObjectContext?
        ) throws -> [ManagedObject] {
            var request = FetchRequest(entityName: entityName)
            request.condition = .compare(key, .equal, value)
            return try context?.fetch(request) ?? []
        }

        /// The result of an import: its counts, the rows that failed, and the objects.
        struct Outcome: Equatable {
            var line = ""
            var failed: [Int] = []
            var objects: [String] = []
        }

        static func stack() throws -> Stack {
            let stack = try Stack(Account.self, Entry.self, Label.self)
            try stack.addInMemoryStore()
            return stack
        }

        /// Imports rows into a new stack, after others.
        static func outcome(
            of rows: [String], after present: [String] = [], chunkSize: Int, isDryRun: Bool = false
        ) async throws -> Outcome {
            let stack = try stack()
            var options = ImportOptions()
            let before = try await stack.importRows(
                Entry.self, from: JSONLines(.text(present.joined(separator: "\n"))))
            #expect(before.failed == 0, "\(before.failures)")
            (options.chunkSize, options.retries, options.isDryRun) = (chunkSize, 0, isDryRun)
            let report = try await stack.importRows(
                Entry.self, from: JSONLines(.text(rows.joined(separator: "\n"))), options: options)
            return Outcome(
                line: report.line, failed: report.failures.map(\.place.index),
                objects: try await objects(of: stack))
        }

        private static func objects(of stack: Stack) async throws -> [String] {
            try await Context(stack: stack).read { reader in
                let entries = try reader.fetchAll(Entry.self).map { entry in
                    let code = entry.code.map { "\($0)" } ?? "-"
                    let account = entry.account.map { "\($0.id)" } ?? "-"
                    return "\(entry.id) \(code) \(entry.title) \(entry.note) \(account) \(entry.label?.name ?? "-")"
                }
                let accounts = try reader.fetchAll(Account.self).map { "\($0.id) \($0.total) \($0.name)" }
                let labels = try reader.fetchAll(Label.self).map { "\($0.name) \($0.note)" }
                return entries.sorted() + accounts.sorted() + labels.sorted()
            }
        }
    }

    extension Bookkeeping.Entry: ImportHooks {
        func didImport(_ values: [String: ManagedValue]) throws {
            try Bookkeeping.onImport?.call()
            guard case .string(let order) = values["order"] ?? .null else { return }
            let words = order.split(separator: " ").map(String.init)
            try obey(words[0], words.dropFirst().first ?? "", words.last ?? "")
        }

        private func obey(_ verb: String, _ first: String, _ last: String) throws {
            guard let context = managedObjectContext else { return }
            switch verb {
            case "label":
                if try Bookkeeping.labels(first, in: context).isEmpty {
                    try context.insert(Bookkeeping.Label.self).name = first
                }
            case "relabel":
                guard try Bookkeeping.labels(last, in: context).isEmpty else { return }
                for label in try Bookkeeping.labels(first, in: context) {
                    try label.setValue(.string(last), forKey: "name")
                }
            case "charge": account?.total += 1
            case "discharge": account?.total -= 1
            case "look": if account?.name.isEmpty == true { throw Bookkeeping.Refusal() }
            case "merge":
                context.endTurn()
                context.mergeCommits()
            case "refresh":
                for entry in try context.fetch(FetchRequest(entityName: "BookkeepingEntry")) {
                    try? context.refresh(entry, mergeChanges: false)
                }
            case "unrecorded":
                context.undoManager?.disableUndoRegistration()
                try context.insert(Bookkeeping.Label.self).name = "left behind"
            case "cancel": withUnsafeCurrentTask { $0?.cancel() }
            case "throw":
                account?.total += 1
                try context.insert(Bookkeeping.Label.self).name = "left behind"
                throw Bookkeeping.Refusal()
            case "refuse":
                if try Bookkeeping.objects("BookkeepingEntry", "title", "", in: context).first != nil {
                    throw Bookkeeping.Refusal()
                }
                if try Bookkeeping.labels("left behind", in: context).first != nil { throw Bookkeeping.Refusal() }
            case "close": if let account { context.delete(account) }
            case "count": note = "\(account?.entries.count ?? 0) \(account?.total ?? 0)"
            default: break
            }
        }
    }
#endif
