import BenchKit
import GRDB

/// **Value.** A customer as a record coded by hand.
struct CustomerRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "customer"

    private(set) var id: Int64?
    let name: String?
    var details: String?

    /// A customer whose key the database gives.
    init(_ input: CustomerInput) {
        name = input.name
        details = input.details
    }

    init(_ input: CustomerInput, id: Int) {
        self.init(input)
        self.id = Int64(id)
    }

    init(row: Row) {
        id = row[0]
        name = row[1]
        details = row[2]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["description"] = details
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    func add(to digest: inout Digest) {
        digest.row()
        digest.add(id)
        digest.add(name)
        digest.add(details)
    }
}
