#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Code of classes that does more than to set the values of its object.
    @Suite struct `Hooks of an import that change the graph` {
        @Entity("HookDeed", userInfo: ["relatedByAttribute": "id"]) final class Deed: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Attribute(.unique) var seal: String?
            @Attribute(.minimum(1)) var text: String = "text"
            var order: String?
            var notary: Notary?

            override func validateForInsert() throws {
                try super.validateForInsert()
                if text == "look" { throw FetchError(.objectNotFound, "There is none. Look elsewhere.") }
            }
        }

        @Entity("HookNotary", userInfo: ["relatedByAttribute": "id"]) final class Notary: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Relationship(inverse: \Deed.notary) var deeds: Set<Deed>
        }

        private let stack: Stack

        init() throws {
            stack = try Stack(Deed.self, Notary.self)
            try stack.addInMemoryStore()
        }

        private func importDeeds(_ order: String, chunkSize: Int = 1_000) async throws -> ImportReport {
            var options = ImportOptions()
            options.chunkSize = chunkSize
            return try await stack.importRows(
                Deed.self, from: [["id": 1, "seal": "a"], ["id": 2, "order": order], ["id": 3]], options: options)
        }

        private func ids() async throws -> [Int] {
            try await Context(stack: stack).read { reader in
                try reader.fetchAll(Deed.self, orderBy: .Ascending("id")).map(\.id)
            }
        }

        private static let refusedCalls = ["save", "save update", "roll back", "reset", "record"]

        @Test(arguments: ["make invalid", "make taken", "spoil"] + refusedCalls, [1, 1_000])
        func `fail their row alone by what nobody can save`(order: String, chunkSize: Int) async throws {
            let report = try await importDeeds(order, chunkSize: chunkSize)
            #expect(report.line == "2 0 0 0 1" && report.failures.map(\.place.index) == [1], "\(report.failures)")
            #expect(try await ids() == [1, 3])
            guard Self.refusedCalls.contains(order) else { return }
            #expect((report.failures.first?.error as? SaveError)?.code == .savedWhileSaving)
        }

        @Test func `fail their row alone by an error of validation, whatever it is`() async throws {
            let report = try await stack.importRows(
                Deed.self, from: [["id": 1], ["id": 2, "text": "look"], ["id": 3]])
            #expect(report.line == "2 0 0 0 1" && report.failures.map(\.place.index) == [1], "\(report.failures)")
            #expect((report.failures.first?.error as? FetchError)?.code == .objectNotFound)
        }

        @Test(arguments: ["should", "will", "value", "did"])
        func `skip their row by deleting its object`(stage: String) async throws {
            for line in ["2 0 0 1 0", "0 0 2 1 0"] {
                #expect(try await importDeeds("delete \(stage)").line == line)
                #expect(try await ids() == [1, 3])
            }
        }

        @Test(arguments: ["should", "will", "value", "did"])
        func `leave a relationship empty by deleting its object, or the one around it`(stage: String) async throws {
            let report = try await stack.importRows(
                Notary.self,
                from: [
                    [
                        "id": 1,
                        "deeds": [["id": 1], ["id": 2, "order": "delete \(stage)"]] as [[String: any Sendable]],
                    ],
                    ["id": 2, "deeds": [["id": 3, "order": "delete notary"]] as [[String: any Sendable]]],
                ])
            #expect(report.line == "1 0 0 1 0" && report.relatedInserted == 2, "\(report.failures)")
            #expect(try await ids() == [1, 3])
        }

        @Test func `save nothing of an update that their import belongs to`() async throws {
            try await Context(stack: stack).update { update in
                let report = try update.import(
                    Deed.self, from: [["id": 1], ["id": 2, "order": "save update"]] as [[String: any Sendable]])
                #expect(report.line == "1 0 0 0 1", "\(report.failures)")
                let other = ManagedObjectContext(coordinator: stack.coordinator)
                #expect(try other.count(FetchRequest(entityName: "HookDeed")) == 0)
                other.endTurn()
                try update.commit()
            }
            #expect(try await ids() == [1])
        }
    }

    extension `Hooks of an import that change the graph`.Deed: ImportHooks {
        private func obey(_ stage: String) {
            if order == "delete \(stage)" { managedObjectContext?.delete(self) }
        }

        func shouldImport(_ values: [String: ManagedValue]) throws -> Bool {
            if case .string(let text) = values["order"] ?? .null { order = text }
            obey("should")
            return true
        }

        func willImport(_ values: [String: ManagedValue]) throws { obey("will") }

        func importValue(_ value: ManagedValue, forKey key: String) throws -> Bool {
            obey("value")
            return false
        }

        func didImport(_ values: [String: ManagedValue]) throws {
            obey("did")
            guard let context = managedObjectContext else { return }
            switch order {
            case "make invalid": try context.insert(Self.self).text = ""
            case "make taken": try context.insert(Self.self).seal = "a"
            case "spoil":
                let request = FetchRequest(entityName: "HookDeed")
                for deed in try context.fetch(request) { try deed.setValue("", forKey: "text") }
            case "delete notary":
                for notary in try context.fetch(FetchRequest(entityName: "HookNotary")) {
                    if try notary.value(forKey: "id") == 2 { context.delete(notary) }
                }
            case "save": try context.save()
            case "save update": try (context.parent ?? context).save()
            case "roll back": context.rollback()
            case "reset": context.reset()
            case "record": context.undoManager = ContextUndoManager()
            default: break
            }
        }
    }
#endif
