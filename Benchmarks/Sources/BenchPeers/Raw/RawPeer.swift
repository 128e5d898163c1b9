import BenchKit

/// **Confined.** The limit, and the baseline: the C API from Swift, statements prepared once, columns by index,
/// structs.
final class RawPeer: RawVariant {
    static let name = "raw"
    let session: RawSession

    init(path: String, template: Template, durability: Durability) throws {
        session = RawSession(try RawConnection(path: path, durability: durability), path: path)
    }
}

/// **Confined.** The same with a 64 MiB page cache, memory mapping and without `secure_delete`, which Debian compiles
/// in: what pragmas alone give.
final class RawTunedPeer: RawVariant {
    static let name = "raw+pragmas"
    let session: RawSession

    init(path: String, template: Template, durability: Durability) throws {
        let connection = try RawConnection(path: path, durability: durability)
        try connection.execute(
            """
            PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;
            PRAGMA temp_store = MEMORY; PRAGMA secure_delete = OFF
            """)
        session = RawSession(connection, path: path)
    }
}

/// A peer whose workloads are `RawSession`'s.
protocol RawVariant: Peer {
    var session: RawSession { get }
}

extension RawVariant {
    func close() { session.connection.close() }
    func fetchAllPeople() throws -> Digest { try session.fetchAllPeople() }
    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest {
        try session.fetchPeople(minimumAge: minimumAge, location: location, limit: limit)
    }
    func aggregate(minimumAge: Int) throws -> Digest { try session.aggregate(minimumAge: minimumAge) }
    func lookUp(ids: [Int64]) throws -> Digest {
        try session.connection.inTransaction { try session.lookUp(ids: ids) }
    }
    func lookUpSeparately(ids: [Int64]) throws -> Digest { try session.lookUp(ids: ids) }
    func readDepartmentNames() throws -> Digest { try session.readDepartmentNames() }
    func readDepartmentNamesLazily() throws -> Digest { try session.readDepartmentNamesLazily() }
    func insert(_ people: [PersonInput]) throws { try session.insert(people) }
    func loadAndAgeTenth() throws { try session.loadAndAgeTenth() }
    func delete(ids: [Int64]) throws { try session.delete(ids: ids) }
    func insertSeparately(_ people: [PersonInput]) throws { try session.insertSeparately(people) }
    /// One writer, whatever the number of tasks: all that one connection can do.
    func insertSeparately(_ people: [PersonInput], tasks: Int) throws { try session.insertSeparately(people) }
    func fetchFirstPerson() throws -> Digest { try session.fetchFirstPerson() }
    func readEnrollments() throws -> Digest { try session.readEnrollments() }
    func exchangeCourses(ofStudents ids: [Int64]) throws { try session.exchangeCourses(ofStudents: ids) }
    func addCourseToEachStudent() throws { try session.addCourseToEachStudent() }
    func follow(_ plan: ImportPlan) throws -> ImportResult { try session.follow(plan) }
    func openList() throws { try session.openList() }
    func changeList(_ people: [PersonInput]) throws -> Int { try session.changeList(people) }
    func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult {
        try session.readWhileWriting(seconds: seconds, people: people, greatestID: greatestID)
    }
}
