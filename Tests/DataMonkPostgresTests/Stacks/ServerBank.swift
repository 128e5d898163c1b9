#if Postgres
    import DataMonk
    import DataMonkCore
    import DataMonkTesting
    import Foundation

    /// One of the processes that transfer money between the same accounts on a server, append to one journal, and look on
    /// meanwhile.
    struct ServerBank: Codable, Sendable {
        static let accounts = 6
        static let deposit = 1_000

        var url: String
        var schemaName: String
        /// The file that each process appends its lines to.
        var reportsPath: String
        var seat: Int
        /// The number of times that the process was begun before.
        var life = 0
        var seed: UInt64
        /// The number of transfers after which the process ends.
        var transfers = Int.max
        /// A file that ends the process once it is there; `nil` for none.
        var endPath: String?

        func openStack() async throws -> Stack {
            var options = ServerStoreOptions()
            options.schemaName = schemaName
            options.timeout = .seconds(60)
            options.outcomeTimeout = .seconds(60)
            options.pollInterval = .milliseconds(50)
            options.readConnectionCount = 3
            options.tracksHistory = true
            let stack = try Stack(BankAccount.self, BankReceipt.self, BankJournal.self)
            try await stack.addServerStore(url, options: options)
            return stack
        }

        /// Opens the accounts, numbered from zero.
        func openAccounts() async throws {
            let stack = try await openStack()
            try await Context(stack: stack).update { update in
                for number in 0..<Self.accounts {
                    let account = try update.create(BankAccount.self)
                    (account.number, account.balance) = (number, Self.deposit)
                }
                _ = try update.create(BankJournal.self)
                try update.commit()
            }
            try await stack.closeStores()
        }

        // MARK: A process

        /// Transfers until so many transfers were acknowledged. The server, or the connection to it, may be gone at any time.
        func run() async throws {
            report(transfers == .max ? "began" : "began-last", "\(getpid())")
            let stack = try await reopenStack()
            stack.onError { error in
                let text = "\(error)"
                // No other error has these words.
                if text.contains("Acknowledged commits of this process") { report("wrong", "a save is lost") }
                if text.contains("has lost its last commits") { report("lost", "commits") }
            }
            let following = Task { try await follow(stack) }
            var generator = SeededGenerator(seed: seed)
            var (number, made) = (0, 0)
            while made < transfers, !hasEnded {
                number += 1
                let code = "\(seat)-\(life)-\(number)"
                let source = Int.random(in: 0..<Self.accounts, using: &generator)
                let destination = (source + Int.random(in: 1..<Self.accounts, using: &generator)) % Self.accounts
                let amount = Int.random(in: 1...9, using: &generator)
                do {
                    try await transfer(amount, from: source, to: destination, code, in: stack)
                    report("transferred", code)
                    made += 1
                    if number % 4 == 0 {
                        try await append(code, in: stack)
                        report("appended", code)
                    }
                } catch {
                    // The receipts alone tell whether it was made.
                    report("failed", code)
                    try await Task.sleep(for: .milliseconds(10))  // The server recovers meanwhile.
                }
                await look(stack)
            }
            Self.seen.withLock { $0 = [:] }
            await look(stack)
            following.cancel()
            try await stack.closeStores()
        }

        private var hasEnded: Bool { endPath.map { access($0, F_OK) == 0 } ?? false }

        private func reopenStack() async throws -> Stack {
            while true {
                do { return try await openStack() } catch {
                    try await Task.sleep(for: .milliseconds(20))  // The server recovers meanwhile.
                }
            }
        }

        private func transfer(
            _ amount: Int, from source: Int, to destination: Int, _ code: String, in stack: Stack
        ) async throws {
            try await Context(stack: stack, mergePolicy: .error).update(retrying: 100) { update in
                try update.fetch(BankAccount.self, %"number" == source).balance -= amount
                try update.fetch(BankAccount.self, %"number" == destination).balance += amount
                let receipt = try update.create(BankReceipt.self)
                (receipt.code, receipt.amount) = (code, amount)
                (receipt.source, receipt.destination) = (source, destination)
                try update.commit()
            }
        }

        /// Appends to the journal that all processes append to.
        private func append(_ code: String, in stack: Stack) async throws {
            try await Context(stack: stack, mergePolicy: .error).update(retrying: 100) { update in
                for journal in try update.fetchAll(BankJournal.self) { journal.codes += " " + code }
                try update.commit()
            }
        }

        /// Reads all accounts at once: no state has another sum. No journal is other than the beginning of a later one.
        private func look(_ stack: Stack) async {
            do {
                let (sum, codes) = try await Context(stack: stack).read { reader in
                    let sum = try reader.fetchAll(BankAccount.self).reduce(0) { $0 + $1.balance }
                    return (sum, try reader.fetchAll(BankJournal.self).first?.codes)
                }
                check(sum, codes, "a reader")
            } catch {
                // The server is gone.
            }
        }

        /// Looks at a main context's objects, which follow all processes, in each of its turns.
        @MainActor private func follow(_ stack: Stack) async throws {
            let World = try MainContext(stack: stack)
            while !Task.isCancelled {
                do {
                    let accounts = try World.fetchAll(BankAccount.self)
                    // Before the next fetch: others' commits turn objects into faults, which a server that is gone cannot fill.
                    let sum = accounts.reduce(0) { $0 + $1.balance }
                    check(sum, try World.fetchAll(BankJournal.self).first?.codes, "a main context")
                } catch {
                    // The server is gone.
                }
                // Reason for try?: a cancelled pause ends the loop.
                try? await Task.sleep(for: .milliseconds(7))  // Somebody who looks now and then.
            }
        }

        private func check(_ sum: Int, _ codes: String?, _ reader: String) {
            if sum != Self.accounts * Self.deposit { report("wrong", "\(sum) for \(reader)") }
            let digest = Self.digest(codes ?? "")
            let isNews = Self.seen.withLock { $0.updateValue(digest, forKey: reader) != digest }
            if isNews { report("saw", "\(digest) \(reader)") }
        }

        /// The journals that the readers of this process have seen last.
        private static let seen = Locked<[String: String]>([:])

        /// Returns the length of a journal, and a number that no other one of this length has, as far as a test can tell.
        static func digest(_ codes: String) -> String {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in codes.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return "\(codes.utf8.count):\(hash)"
        }

        private func report(_ event: String, _ text: String) {
            let line = Array("\(seat) \(event) \(text)\n".utf8)
            let file = open(reportsPath, O_WRONLY | O_APPEND)
            // A line is written as a whole, or, by a process that is killed, not at all.
            _ = write(file, line, line.count)
            close(file)
        }
    }

    final class BankAccount: ManagedObject {
        var number: Int {
            get { property(at: 0) }
            set { setProperty(newValue, at: 0) }
        }
        var balance: Int {
            get { property(at: 1) }
            set { setProperty(newValue, at: 1) }
        }
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "BankAccount", class: BankAccount.self,
                properties: [
                    .property("number", Int.self, default: 0, options: [.unique]),
                    .property("balance", Int.self, default: 0),
                ])
        }
    }

    /// The receipt of a transfer, saved with it.
    final class BankReceipt: ManagedObject {
        var code: String {
            get { property(at: 0) }
            set { setProperty(newValue, at: 0) }
        }
        var source: Int {
            get { property(at: 1) }
            set { setProperty(newValue, at: 1) }
        }
        var destination: Int {
            get { property(at: 2) }
            set { setProperty(newValue, at: 2) }
        }
        var amount: Int {
            get { property(at: 3) }
            set { setProperty(newValue, at: 3) }
        }
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "BankReceipt", class: BankReceipt.self,
                properties: [
                    .property("code", String.self, default: "", options: [.unique]),
                    .property("source", Int.self, default: 0), .property("destination", Int.self, default: 0),
                    .property("amount", Int.self, default: 0),
                ])
        }
    }

    /// The codes of appends, in their order. There is one.
    final class BankJournal: ManagedObject {
        var codes: String {
            get { property(at: 0) }
            set { setProperty(newValue, at: 0) }
        }
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "BankJournal", class: BankJournal.self,
                properties: [.property("codes", String.self, default: "", options: [])])
        }
    }
#endif
