#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Objects that rows find by one key, while other rows, or other parts of them, find them by another one.
    @Suite struct `Objects with two keys in an import` {
        private func stack(hasOwnKey: Bool = true) throws -> Stack {
            let stack = Stack(
                model: try ManagedObjectModel {
                    EntityDescription("User", userInfo: hasOwnKey ? ["relatedByAttribute": "id"] : [:]) {
                        AttributeDescription("id", .integer64)
                        AttributeDescription("login", .string)
                        RelationshipDescription(
                            "boss", to: "User", inverse: "staff", userInfo: ["relatedByAttribute": "login"])
                        RelationshipDescription(
                            "staff", to: "User", inverse: "boss", isToMany: true,
                            userInfo: ["relatedByAttribute": "login"])
                    }
                })
            try stack.addInMemoryStore()
            return stack
        }

        private func importUsers(
            _ rows: [[String: ManagedValue]], into stack: Stack, _ chunkSize: Int
        ) async throws -> ImportReport {
            var options = ImportOptions()
            options.chunkSize = chunkSize
            return try await stack.importRows(entityName: "User", from: [ImportRow](rows).stream(), options: options)
        }

        /// The users as `id login boss`, sorted.
        private func users(_ stack: Stack) async throws -> [String] {
            try await Context(stack: stack).read { reader in
                try reader.fetchAll(entityName: "User").map { user in
                    try ["id", "login", "boss.login"].map { path in
                        switch try user.value(forKeyPath: path) {
                        case .int(let number): "\(number)"
                        case .string(let text): text
                        default: "-"
                        }
                    }.joined(separator: " ")
                }.sorted()
            }
        }

        @Test(arguments: [1, 1_000])
        func `are found by the key that an earlier row has given them, and no longer by the one before`(chunkSize: Int)
            async throws
        {
            for (name, expected) in [("z", ["1 z -", "2 b z"]), ("a", ["1 z -", "2 b a", "- a -"])] {
                let stack = try stack()
                _ = try await importUsers([["id": 1, "login": "a"]], into: stack, 1)
                let report = try await importUsers(
                    [["id": 1, "login": "z"], ["id": 2, "login": "b", "boss": .string(name)]], into: stack, chunkSize)
                #expect(report.line == "1 1 0 0 0", "\(report.failures)")
                #expect(try await users(stack) == expected.sorted())
            }
        }

        @Test(arguments: [1, 1_000])
        func `are found by their own key after a part of a row has changed it`(chunkSize: Int) async throws {
            let stack = try stack()
            let report = try await importUsers(
                [
                    ["id": 1, "login": "a"], ["id": 2, "login": "b", "boss": ["login": "a", "id": 7]],
                    ["id": 7, "login": "c"], ["id": 1, "login": "d"], ["id": 3, "login": "e", "staff": ["c", "d"]],
                ], into: stack, chunkSize)
            #expect(report.line == "4 1 0 0 0", "\(report.failures)")
            #expect(try await users(stack) == ["1 d e", "2 b c", "3 e -", "7 c e"])
        }

        @Test(arguments: [1, 1_000])
        func `are found by a relationship's key where rows have none of their own`(chunkSize: Int) async throws {
            let stack = try stack(hasOwnKey: false)
            let report = try await importUsers(
                [["login": "a"], ["login": "b", "boss": "a"]], into: stack, chunkSize)
            #expect(report.line == "2 0 0 0 0" && report.relatedInserted == 0, "\(report.failures)")
            #expect(try await users(stack) == ["- a -", "- b a"])
        }

        @Test(arguments: [1, 1_000])
        func `take the place of one with the same key that has got another one`(chunkSize: Int) async throws {
            let stack = try stack()
            _ = try await importUsers([["id": 1, "login": "a"], ["id": 2, "login": "a"]], into: stack, 10)
            let report = try await importUsers(
                [["id": 1, "login": "z"], ["id": 3, "login": "c", "boss": "a"], ["id": 2, "login": "y"]], into: stack,
                chunkSize)
            #expect(report.line == "1 2 0 0 0" && report.relatedInserted == 0, "\(report.failures)")
            #expect(try await users(stack) == ["1 z -", "2 y -", "3 c y"])
        }

        /// The users that rows make, one after the other.
        private struct Users {
            struct User {
                var id: Int64?
                var login: String?
                var boss: Int?
            }

            var all: [User] = []

            mutating func position(where isWanted: (User) -> Bool, orNew user: User) -> Int {
                if let known = all.firstIndex(where: isWanted) { return known }
                all.append(user)
                return all.count - 1
            }

            /// Takes a random row, whose login nobody else has.
            mutating func takeRow(_ random: inout SeededGenerator) -> [String: ManagedValue] {
                let (id, names) = (
                    Int64.random(in: 0..<6, using: &random), ["a", "b", "c", "d", "e"].shuffled(using: &random)
                )
                var row: [String: ManagedValue] = ["id": .int(id)]
                let own = position(where: { $0.id == id }, orNew: User(id: id))
                if Bool.random(using: &random), !all.contains(where: { $0.login == names[0] }) {
                    row["login"] = .string(names[0])
                    all[own].login = names[0]
                }
                if Bool.random(using: &random) {
                    row["boss"] = .string(names[1])
                    all[own].boss = position(where: { $0.login == names[1] }, orNew: User(login: names[1]))
                }
                return row
            }

            var lines: [String] {
                all.map { user in
                    let boss = user.boss.flatMap { all[$0].login }
                    return "\(user.id.map { "\($0)" } ?? "-") \(user.login ?? "-") \(boss ?? "-")"
                }.sorted()
            }
        }

        @Test(arguments: [1, 3, 100]) func `are those that one row after the other finds`(chunkSize: Int) async throws {
            var random = SeededGenerator(seed: 5)
            for _ in 0..<30 {
                var users = Users()
                let rows = (0..<15).map { _ in users.takeRow(&random) }
                let stack = try stack()
                let report = try await importUsers(rows, into: stack, chunkSize)
                #expect(report.failed == 0, "\(report.failures)")
                #expect(try await self.users(stack) == users.lines, "\(rows)")
            }
        }
    }
#endif
