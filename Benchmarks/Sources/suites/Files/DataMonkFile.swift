import BenchKit
import DataMonk
import Foundation

/// **Shared.** A file of customers, open by DataMonk.
struct DataMonkFile: Sendable {
    let url: URL
    let durability: Durability
    let stack: Stack
    let context: Context

    /// Made once for all stacks, as SQLAlchemy makes its tables once.
    private static let model = Result {
        try ManagedObjectModel(classes: [Customer.self, NumberedCustomer.self, Profile.self])
    }

    init(_ url: URL, durability: Durability) throws {
        self.url = url
        self.durability = durability
        stack = Stack(model: try Self.model.get())
        try stack.addDatabaseStore(fileURL: url, synchronous: durability == .full ? .full : .normal)
        context = try Context(stack: stack)
    }

    func close() throws { try stack.close() }

    /// Runs an update on the calling thread. It begins with nothing, as a session of theirs does.
    @discardableResult
    func update<Result: Sendable>(_ body: @Sendable (Update) throws -> Result) throws -> Result {
        try context.beginUpdateAndWait { try body($0) }
    }

    func fill(_ contents: Suite.Contents, count: Int) throws {
        switch contents {
        case .nothing: break
        case .customers:
            try update { update in
                var numbers = (0..<count).makeIterator()
                try update.batchInsert(NumberedCustomer.self) { customer in
                    guard let number = numbers.next() else { return true }
                    customer.take(CustomerInput(number))
                    return false
                }
            }
        case .profiles:
            try update { update in
                for id in ProfileInput.ids { try update.create(Profile.self).take(ProfileInput(id: id)) }
                try update.commit()
            }
        }
    }

    /// The table of all customers, for a look at the file without DataMonk.
    static let customers = """
        SELECT Z_PK AS id, ZNAME AS name, ZDETAILS AS details FROM ZCUSTOMER
        UNION ALL SELECT ZID, ZNAME, ZDETAILS FROM ZNUMBEREDCUSTOMER
        """
}

extension Customer {
    func take(_ input: CustomerInput) {
        name = input.name
        details = input.details
    }

    func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
        digest.add(details)
    }
}

extension NumberedCustomer {
    func take(_ input: CustomerInput) {
        id = input.id
        name = input.name
        details = input.details
    }

    func add(to digest: inout Digest) {
        digest.row()
        digest.add(id)
        digest.add(name)
        digest.add(details)
    }
}
