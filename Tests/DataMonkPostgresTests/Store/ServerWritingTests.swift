#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// The rows that each statement writes.
    @Suite struct ServerWritingTests {
        private let coordinator: PersistentStoreCoordinator
        private let note: Entity
        private let writing: ServerWriting

        init() throws {
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    "Note",
                    properties: [
                        .attribute(AttributeDescription("text", .string)),
                        .attribute(AttributeDescription("rank", .integer64)),
                    ])
            ])
            let coordinator = try MigrationStore().coordinator(model)
            let store = try #require(coordinator.stores[0] as? ServerStore)
            self.coordinator = coordinator
            note = try #require(model.entitiesByName["Note"])
            writing = ServerWriting(store)
        }

        /// Changes of notes whose texts have some lengths.
        ///
        /// - Parameter name: The attribute that is changed; `nil` for new notes.
        private func changes(
            ofTexts lengths: [Int], in name: String? = nil
        ) throws -> [ChangeSet.ObjectChange] {
            let text = try #require(note.attribute(named: "text"))
            let changed = try name.map { try #require(note.attribute(named: $0)).slot }
            var arena = RowArena()
            return lengths.enumerated().map { index, length in
                let key = ObjectKey(store: 0, entity: note.index, primaryKey: Int64(index + 1))
                let layout = coordinator.directory.layout(of: key)
                let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
                var editor = RowEditor(draft)
                text.write(.string(String(repeating: "a", count: length)), to: &editor)
                let row = layout.seal(draft, version: 2, in: &arena)
                return ChangeSet.ObjectChange(
                    key: key, row: row, base: changed == nil ? nil : row,
                    changed: SlotSet([changed].compactMap(\.self)))
            }
        }

        private func rowCounts(_ writes: [ServerWrite]) -> [Int] { writes.map { $0.keys?.count ?? 0 } }

        @Test func `a statement inserts as many rows as a megabyte has room for, whatever those before take`() throws {
            let (small, large) = (Array(repeating: 10, count: 64), Array(repeating: 400_000, count: 4))
            #expect(try rowCounts(writing.insertions(changes(ofTexts: small + large))) == [66, 2])
            #expect(try rowCounts(writing.insertions(changes(ofTexts: large + small))) == [2, 66])
            #expect(try rowCounts(writing.insertions(changes(ofTexts: [1, 3_000_000, 3_000_000]))) == [1, 1, 1])
            #expect(try rowCounts(writing.insertions([])) == [])
        }

        @Test func `a statement updates as many rows as a megabyte has room for with what has changed`() throws {
            let lengths = Array(repeating: 400_000, count: 5)
            #expect(try rowCounts(writing.updates(changes(ofTexts: lengths, in: "text"))) == [2, 2, 1])
            #expect(try rowCounts(writing.updates(changes(ofTexts: lengths, in: "rank"))) == [5])
        }
    }
#endif
