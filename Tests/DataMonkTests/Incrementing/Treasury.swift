#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Accounts with numbers of every kind, to be incremented from several contexts.
    final class Treasury {
        @Entity("TreasuryAccount") final class Account: ManagedObject {
            var name: String = ""
            var note: String?
            var balance: Int = 0
            @Attribute(.minimum(0), .maximum(100)) var stock: Int = 50
            var small: Int16 = 0
            var medium: Int32 = 0
            var ratio: Double = 0
            var share: Float = 0
            var money: Decimal = 0
            var points: Int?
            var spare: Int? = 7
            @Attribute(.unique) var seat: Int?
            @Attribute(.transient) var passing: Int = 0
            @Attribute(.derived("balance")) private(set) var shown: Int = 0
            @Relationship(inverse: \Branch.accounts) var branch: Branch?
        }

        @Entity("TreasuryBranch") final class Branch: ManagedObject {
            var accounts: Set<Account>
            @Attribute(.derived("accounts.balance.@sum")) private(set) var total: Int = 0
        }

        static let model = Result { try ManagedObjectModel(classes: [Account.self, Branch.self]) }

        let stack: Stack
        let id: ObjectID<Account>
        private let folder: TemporaryFolder
        /// Objects do not outlive their context; tests look at them in one expression.
        private var contexts: [ManagedObjectContext] = []

        /// A treasury with one account of a branch.
        init(_ kind: StoreKind = .memory, prepare: (Account) -> Void = { _ in }) throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Self.model.get())
            switch kind {
            case .memory: try stack.addInMemoryStore(tracksHistory: true)
            case .file:
                try stack.addDatabaseStore(
                    fileURL: folder.file("treasury.sqlite"), synchronous: .normal, tracksHistory: true)
            }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            contexts.append(context)
            let account = try context.insert(Account.self)
            account.branch = try context.insert(Branch.self)
            prepare(account)
            try context.save()
            id = account.objectID
            context.endTurn()
        }

        func newContext(_ mergePolicy: MergePolicy = .error, followsCommits: Bool = true) -> ManagedObjectContext {
            for context in contexts { context.endTurn() }
            let context = ManagedObjectContext(
                coordinator: stack.coordinator, mergePolicy: mergePolicy, followsCommits: followsCommits)
            contexts.append(context)
            return context
        }

        /// The account in a context, read.
        func account(in context: ManagedObjectContext) throws -> Account {
            let account = try #require(try context.existingObject(with: id.erased) as? Account)
            try account.fault()
            return account
        }

        /// The account as a context that knows nothing finds it.
        func stored() throws -> Account { try account(in: newContext()) }

        /// What somebody else commits.
        func commit(_ change: (Account) throws -> Void) throws {
            let context = newContext()
            try change(account(in: context))
            try context.save()
        }
    }

    extension ManagedObject {
        /// Increments by a whole number.
        func grow(_ key: String, _ amount: Int64) throws { try incrementValue(forKey: key, by: .int(amount)) }
    }
#endif
