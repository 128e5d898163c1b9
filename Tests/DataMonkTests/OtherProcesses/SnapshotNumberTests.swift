#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Snapshots that are opened beside a commit are told apart by a fact that the commit makes true.
    @Suite(.serialized) struct `The number of a snapshot` {
        @Entity("NumberTeam") final class Team: ManagedObject {
            var name: String = ""
            @Attribute(.derived("players.@sum.points")) private(set) var total: Int = 0
            @Relationship(inverse: \Player.team) var players: Set<Player>
        }

        @Entity("NumberPlayer") final class Player: ManagedObject {
            var points: Int = 0
            var team: Team?
        }

        /// A block to run before the next COMMIT.
        private struct Step {
            var body: (@Sendable () -> Void)?
        }

        private let folder: TemporaryFolder
        private let step = Locked(Step())
        private let stack: Stack

        init() throws {
            folder = try TemporaryFolder()
            let step = step
            let model = try ManagedObjectModel(classes: [Team.self, Player.self])
            stack = Stack(model: model) { sql in
                guard sql == "COMMIT" else { return }
                let body = step.withLock { step in
                    defer { step.body = nil }
                    return step.body
                }
                body?()
            }
            try stack.addDatabaseStore(fileURL: folder.file("team.sqlite"))
            try stack.commit { update in
                let team = try update.create(Team.self)
                for points in 1...3 {
                    let player = try update.create(Player.self)
                    player.points = points
                    player.team = team
                }
            }
        }

        /// Runs a block on another thread, until it has ended or waits for the commit beside it. Returns the place of its
        /// result.
        private func startBesideCommit<Value: Sendable>(
            _ body: @escaping @Sendable () throws -> Value
        ) -> Locked<Result<Value, any Error>?> {
            let result = Locked<Result<Value, any Error>?>(nil)
            Thread.detachNewThread {
                let value = Result { try body() }
                result.withLock { $0 = value }
            }
            while stack.coordinator.waitingReaderCount == 0, result.withLock({ $0 == nil }) { sched_yield() }
            return result
        }

        private func points(_ context: ManagedObjectContext) throws -> [Int] {
            try context.fetch(FetchRequest(entityName: "NumberPlayer")).compactMap { ($0 as? Player)?.points }.sorted()
        }

        /// The derived values of a batch request are no such fact: they do not change the versions of their rows.
        @Test func `is that before a batch request whose COMMIT has not run`() throws {
            let read = Locked<[Int]?>(nil)
            let stack = stack
            step.withLock { step in
                step.body = { [self] in
                    let result = startBesideCommit { try points(ManagedObjectContext(coordinator: stack.coordinator)) }
                    // If the reader waits for the commit, it has taken its snapshot for one that shows it.
                    read.withLock { $0 = try? result.withLock { $0 }?.get() }
                }
            }
            let request = BatchUpdateRequest(entityName: "NumberPlayer", propertiesToUpdate: ["points": 10])
            try ManagedObjectContext(coordinator: stack.coordinator).execute(request)
            #expect(read.withLock { $0 } == [1, 2, 3])
            #expect(try points(ManagedObjectContext(coordinator: stack.coordinator)) == [10, 10, 10])
        }

        /// The key that a save has reserved for that is gone with the save, if another one of its group was first.
        @Test func `is that of two deletions, of which one was refused`() throws {
            let disk = try FaultyDisk(folder: folder.url)
            let stack = Stack(model: stack.coordinator.model)
            try stack.addDatabaseStore(fileURL: folder.file("team.sqlite"))
            let contexts = (0..<2).map { _ in ManagedObjectContext(coordinator: stack.coordinator) }
            for context in contexts {
                let players = try context.fetch(
                    FetchRequest(entityName: "NumberPlayer", condition: .compare("points", .equal, 3)))
                for player in players { context.delete(player) }
            }
            // nonisolated(unsafe): used by one thread after the other.
            nonisolated(unsafe) let other = ManagedObjectContext(coordinator: stack.coordinator)
            nonisolated(unsafe) let held = try other.fetch(FetchRequest(entityName: "NumberPlayer"))
            let seen = Locked<Result<[Int], any Error>?>(nil)
            let look: @Sendable () -> Void = { [self] in
                Thread.detachNewThread {
                    let value = Result { [try points(other).count, held.count { !$0.isDeleted }] }
                    seen.withLock { $0 = value }
                }
                while stack.coordinator.waitingReaderCount == 0, seen.withLock({ $0 == nil }) { sched_yield() }
            }
            // The transaction that holds the queue comes first.
            disk.afterNextTransaction { disk.afterNextTransaction(look) }
            let results = stack.coordinator.saveTogether(contexts)
            #expect(results.count { (try? $0.get()) != nil } == 1)
            while seen.withLock({ $0 == nil }) { sched_yield() }
            #expect(try seen.withLock { $0 }?.get() == [2, 2])
        }
    }
#endif
