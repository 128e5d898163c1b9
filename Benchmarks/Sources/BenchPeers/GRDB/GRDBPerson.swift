import BenchKit
import Foundation
import GRDB

/// A person as a GRDB record.
protocol GRDBPerson: FetchableRecord, PersistableRecord, Sendable {
    init(_ input: PersonInput)
    var id: Int64 { get }
    var name: String { get }
    var age: Int { get set }
    var location: String? { get }
    var salary: Double { get }
    var created: Date { get }
    var friendID: Int64? { get }
}

extension GRDBPerson {
    @inline(__always)
    func add(to digest: inout Digest) {
        digest.row()
        digest.add(name)
        digest.add(age)
        digest.add(location)
        digest.add(salary)
        digest.add(created.timeIntervalSince1970)
        digest.add(friendID)
    }
}
