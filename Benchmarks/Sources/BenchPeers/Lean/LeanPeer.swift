import BenchKit

/// **Confined.** The floor of an engine with an identity map, written as lean as we could: an object and a packed row
/// a row, released in order, and nothing that an engine needs beyond these.
final class LeanPeer: Peer {
    static let name = "lean"
    private let session: LeanSession

    init(path: String, template: Template, durability: Durability) throws {
        session = LeanSession(try RawConnection(path: path, durability: durability))
    }

    func close() { session.close() }
    func reset() { session.reset() }
    func fetchAllPeople() throws -> Digest { try session.fetchAllPeople() }
    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        try session.fetchPeople(minimumAge: minimumAge, location: location, limit: limit)
    }
    func lookUp(ids: [Int64]) throws -> Digest {
        try session.connection.inTransaction { try session.lookUp(ids: ids) }
    }
    func lookUpSeparately(ids: [Int64]) throws -> Digest { try session.lookUp(ids: ids) }

    func readDepartmentNames() throws -> Digest {
        try session.prefetchDepartments()
        return try session.readDepartmentNames()
    }
    func readDepartmentNamesLazily() throws -> Digest { try session.readDepartmentNames() }

    func insert(_ people: [PersonInput]) throws {
        session.create(people[...])
        try session.save()
        session.reset()
    }

    func insertSeparately(_ people: [PersonInput]) throws {
        for index in people.indices {
            session.create(people[index...index])
            try session.save()
        }
    }

    func loadAndAgeTenth() throws {
        try session.ageTenth()
        try session.save()
        session.reset()
    }

    func delete(ids: [Int64]) throws {
        session.delete(ids)
        try session.save()
        session.reset()
    }
}
