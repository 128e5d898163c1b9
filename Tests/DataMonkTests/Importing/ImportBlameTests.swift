#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Rows that make other rows' objects, or objects of no row, what they must not be.
    @Suite struct `Rows that spoil other objects` {
        @Entity("BlameTeam", userInfo: ["relatedByAttribute": "id"]) final class Team: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            var name: String = ""
            var players: Set<Player>
        }

        @Entity("BlamePlayer", userInfo: ["relatedByAttribute": "id"]) final class Player: ManagedObject {
            @Attribute(.unique) var id: Int = 0
            @Relationship(.required, inverse: \Team.players) var team: Team?
        }

        @Test(arguments: [false, true])
        func `fail alone, and the others are imported`(isDryRun: Bool) async throws {
            let stack = try Stack(Team.self, Player.self)
            try stack.addInMemoryStore()
            try await stack.importRows(
                Team.self,
                from: [["id": 1, "players": [1, 2]], ["id": 2, "players": [3, 4]], ["id": 3, "players": [5]]])
            var options = ImportOptions()
            options.isDryRun = isDryRun
            let report = try await stack.importRows(
                Team.self,
                from: [
                    ["id": 1, "players": [1]],  // leaves 2 without a team
                    ["id": 2, "players": [3]],  // leaves 4 without one, until the next row
                    ["id": 3, "players": [4, 5]], ["id": 4, "name": "new"],
                ], options: options)
            #expect(report.line == "1 2 0 0 1" && report.failures.map(\.place.index) == [0], "\(report.failures)")
            let counts = try await Context(stack: stack).read { reader in
                try reader.fetchAll(Team.self, orderBy: .Ascending("id")).map(\.players.count)
            }
            #expect(counts == (isDryRun ? [2, 2, 1] : [2, 1, 2, 0]))
        }
    }
#endif
