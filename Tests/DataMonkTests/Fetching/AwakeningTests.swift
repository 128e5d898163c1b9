#if Macros
    import DataMonk
    import Testing

    /// Reads of a context behind whose objects fetch in `awakeFromFetch`, which moves the context.
    @Suite(.serialized) struct `Awakening in a context behind` {
        enum Inn {
            static let model = Result { try ManagedObjectModel(classes: [Room.self, Guest.self]) }
            /// Set by one test at a time.
            static let guestsFetch = Locked(false)

            @Entity final class Room: ManagedObject {
                var number: Int = 0
                @Relationship(inverse: \Guest.room) var guests: Set<Guest>
            }

            @Entity final class Guest: ManagedObject {
                var name: String = ""
                var room: Room?

                override func awakeFromFetch() {
                    guard Inn.guestsFetch.withLock({ $0 }) else { return }
                    // Reason for try?: a failure shows in what the test expects.
                    _ = try? managedObjectContext?.count(FetchRequest(entityName: "Room"))
                }
            }
        }

        /// A later commit whose former rows are unknown.
        enum LaterCommit: CaseIterable { case foreign, batch }

        private let stack: Stack
        private let writer: ManagedObjectContext
        private let room: Inn.Room
        private let context: ManagedObjectContext

        init() throws {
            stack = Stack(model: try Inn.model.get())
            try stack.addInMemoryStore()
            writer = ManagedObjectContext(coordinator: stack.coordinator)
            room = try writer.insert(Inn.Room.self)
            context = ManagedObjectContext(coordinator: stack.coordinator)
        }

        private func add(_ names: String...) throws {
            for name in names {
                let guest = try writer.insert(Inn.Guest.self)
                guest.name = name
                guest.room = room
            }
            try writer.save()
        }

        private func fetchFaults(_ entityName: String) throws -> [ManagedObject] {
            var request = FetchRequest(entityName: entityName)
            request.includesPropertyValues = false
            return try context.fetch(request)
        }

        private func whileGuestsFetch(_ body: () throws -> Void) rethrows {
            Inn.guestsFetch.withLock { $0 = true }
            defer { Inn.guestsFetch.withLock { $0 = false } }
            try body()
        }

        private func names(_ room: Inn.Room) -> [String] { room.guests.map(\.name).sorted() }

        @Test(arguments: [1, 2], [true, false])
        func `a to-many has the members where its members' awakening has moved the context`(
            rooms: Int, endsForeign: Bool
        ) throws {
            try add("a", "b")
            if rooms == 2 { _ = try writer.insert(Inn.Room.self) }
            try writer.save()
            // Nobody's rows are cached, so that the guests are awakened by the read of the to-many.
            stack.coordinator.noteForeignChanges()
            let all = try context.fetch(FetchRequest(entityName: "Room")).compactMap { $0 as? Inn.Room }
            let own = try #require(all.first { $0.anyObjectID == room.anyObjectID })
            try add("c")
            if endsForeign { stack.coordinator.noteForeignChanges() }
            whileGuestsFetch { #expect(names(own) == ["a", "b", "c"]) }
            #expect(names(own) == ["a", "b", "c"] && all.count == rooms)
            try context.checkInvariants()
        }

        @Test(arguments: [1, 2], LaterCommit.allCases)
        func `a fault whose awakening turns it into one again is read again`(
            guests: Int, commit: LaterCommit
        ) throws {
            try add("a")
            if guests == 2 { try add("b") }
            let faults = try fetchFaults("Guest").compactMap { $0 as? Inn.Guest }
            switch commit {
            case .foreign: stack.coordinator.noteForeignChanges()
            case .batch:
                _ = try writer.execute(BatchUpdateRequest(entityName: "Guest", propertiesToUpdate: ["name": "z"]))
            }
            let names = commit == .batch ? ["z", "z"] : ["a", "b"]
            whileGuestsFetch { #expect(faults.map(\.name).sorted() == Array(names.prefix(guests))) }
            #expect(faults.allSatisfy { !$0.isDeleted })
        }
    }
#endif
