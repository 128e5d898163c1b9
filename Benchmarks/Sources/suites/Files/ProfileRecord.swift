import BenchKit
import GRDB

/// **Value.** The customer of `short_selects` as a record coded by hand, without the columns that are loaded when read.
struct ProfileRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "profile"
    static var databaseSelection: [any SQLSelectable] {
        [Column("id"), Column("name"), Column("description"), Column("q"), Column("p")]
    }

    let id: Int64
    let name: String?
    let details: String?
    let q: Int64?
    let p: Int64?

    init(_ input: ProfileInput) {
        id = Int64(input.id)
        name = input.text
        details = input.text
        q = id * 10
        p = id * 20
    }

    init(row: Row) {
        id = row[0]
        name = row[1]
        details = row[2]
        q = row[3]
        p = row[4]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["description"] = details
        container["q"] = q
        container["p"] = p
        container["x"] = id * 30
        container["y"] = id * 40
    }

    func add(to digest: inout Digest) {
        digest.row()
        digest.add(id)
        digest.add(name)
        digest.add(details)
        digest.add(q)
        digest.add(p)
    }
}
