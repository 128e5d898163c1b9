#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    @Entity final class Author: ManagedObject {
        var name: String = ""
        @Relationship(deleteRule: .cascade, inverse: \Novel.author) var novels: Set<Novel>
        @Relationship(deleteRule: .deny, inverse: \Contract.author) var contracts: Set<Contract>
        @Relationship(inverse: \Prize.winner) var prizes: Set<Prize>
    }

    @Entity final class Novel: ManagedObject {
        var title: String = ""
        var author: Author?
    }

    @Entity final class Contract: ManagedObject {
        @Relationship(.required) var author: Author?
    }

    @Entity final class Prize: ManagedObject {
        var winner: Author?
    }

    @Suite struct DeleteRulesTests {
        private let context: Context
        private let id: ObjectID<Author>

        init() async throws {
            context = try Context(stack: .inMemory(Author.self))
            id = try await context.update { update in
                let author = try update.create(Author.self)
                author.novels = [try update.create(Novel.self), try update.create(Novel.self)]
                author.contracts = [try update.create(Contract.self)]
                author.prizes = [try update.create(Prize.self)]
                try update.commit()
                return author.objectID
            }
        }

        @Test func `a denial, and what it says`() async throws {
            try await context.update { update in
                let author = try update.use(id)
                try update.delete(author)
                let error = #expect(throws: SaveError.self) { try update.commit() }
                #expect(error?.code == .relationshipDeniedDelete)
                #expect(error?.validationProblems.map(\.key) == ["contracts"])

                update.rollback()
                #expect(!author.isDeleted && author.novels.count == 2)
            }
        }

        @Test func `the contracts go as well`() async throws {
            try await context.update { update in
                let author = try update.use(id)
                try update.delete(author)
                try update.deleteAll(Contract.self, %"author" == author)
                try update.commit()
            }
            let counts = try await context.read { reader in
                [
                    try reader.count(Author.self), try reader.count(Novel.self), try reader.count(Contract.self),
                    try reader.count(Prize.self, %"winner" == nil),
                ]
            }
            #expect(counts == [0, 0, 0, 1])
        }

        @Test(arguments: [MergePolicy.error, .mergeByPropertyObjectTrump])
        func `a novel for an author whom another update deletes`(policy: MergePolicy) async throws {
            let (context, id) = (context, id)
            let writing = try Context(stack: context.stack, mergePolicy: policy).beginUpdateContext()
            try await writing.perform { update in try update.create(Novel.self).author = try update.use(id) }
            try await context.update { update in
                try update.deleteAll(Contract.self)
                try update.delete(id)
                try update.commit()
            }
            if policy == .error {
                await #expect(throws: SaveError.self) { try await writing.perform { try $0.commit() } }
                try await writing.perform { $0.rollback() }
            } else {
                try await writing.perform { try $0.commit() }
            }
            let novels = try await context.read { try $0.count(Novel.self, %"author" == nil) }
            #expect(novels == (policy == .error ? 0 : 1))
        }
    }
#endif
