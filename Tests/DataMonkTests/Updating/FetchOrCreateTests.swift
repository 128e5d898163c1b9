#if Macros
    import DataMonk
    import Testing

    enum Pantry {
        @Entity final class Jar: ManagedObject {
            var name: String = ""
            var label: String?
            var volume: Int16 = 0
            @Attribute(.derived("uppercase:(name)")) private(set) var loudName: String = ""
            /// Without an inverse.
            var neighbor: Jar?
        }
    }

    /// `fetchOrCreate` leaves nothing behind when it throws.
    @Suite @MainActor struct `Fetching or creating` {
        private let stack: Stack
        private let World: MainContext
        private let draft: Draft

        init() throws {
            stack = try Stack(Pantry.Jar.self)
            try stack.addInMemoryStore()
            let context = try MainContext(stack: stack)
            World = context
            draft = context.draft()
        }

        private func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            #expect(!draft.hasChanges, sourceLocation: sourceLocation)
            draft.managedObjectContext.processPendingChanges()
            #expect(draft.undoManager?.canUndo == false, sourceLocation: sourceLocation)
            try await draft.commit()
            #expect(try World.count(Pantry.Jar.self) == 0, sourceLocation: sourceLocation)
        }

        @Test func `a derived attribute is found by, and refused for a new object`() async throws {
            let jar = try draft.create(Pantry.Jar.self)
            jar.name = "plum"
            try await draft.commit()
            #expect(try draft.fetchOrCreate(Pantry.Jar.self, %"loudName" == "PLUM") === jar)
            try draft.delete(jar)
            try await draft.commit()
            draft.undoManager?.removeAllActions()
            let error = #expect(throws: FetchError.self) {
                _ = try draft.fetchOrCreate(Pantry.Jar.self, %"name" == "plum" && %"loudName" == "PLUM")
            }
            #expect(error?.code == .derivedAttribute && error?.keyPath == "loudName")
            try await expectNothing()
        }

        @Test func `a value beyond the attribute's width is refused`() async throws {
            let error = #expect(throws: FetchError.self) {
                _ = try draft.fetchOrCreate(Pantry.Jar.self, %"name" == "plum" && %"volume" == 40_000)
            }
            #expect(error?.code == .typeMismatch && error?.keyPath == "volume")
            try await expectNothing()
        }

        @Test func `a new object that turns out not to have the value is removed`() async throws {
            let error = #expect(throws: FetchError.self) {
                _ = try draft.fetchOrCreate(Pantry.Jar.self, %"label" == %"neighbor.label")
            }
            #expect(error?.code == .unknownKey)
            try await expectNothing()
        }
    }
#endif
