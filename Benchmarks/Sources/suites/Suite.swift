import BenchKit

/// **Value.** A file of SQLAlchemy's `examples/performance`: its name there, its number of rows or of repetitions, its tests.
struct Suite: Sendable {
    let name: String
    let count: Int
    var durability = Durability.normal
    /// The rows that a test finds.
    let contents: Contents
    var tests: [Test]

    enum Contents: Sendable {
        case nothing
        case customers
        case profiles
    }

    static let all = [bulkInserts, bulkUpdates, largeResultsets, shortSelects, syncedSingleInserts, singleInserts]

    /// The name of a test's samples.
    func workload(_ test: Test) -> String { "\(name) \(test.name)" }

    static func named(_ name: String) throws -> Suite {
        guard let suite = all.first(where: { $0.name == name }) else { throw BenchError("no suite \(name)") }
        return suite
    }

    /// Returns the suite with one of its tests, or with all if that is `nil`.
    func only(_ test: String?) throws -> Suite {
        guard let test else { return self }
        var suite = self
        suite.tests = tests.filter { $0.name == test }
        if suite.tests.isEmpty { throw BenchError("no test \(test) in \(name)") }
        return suite
    }
}

/// **Value.** A test of theirs: its name there, and the same work by DataMonk and by GRDB. A test that reads returns a digest
/// of the values; after one that writes, the files are compared.
struct Test: Sendable {
    typealias DataMonkWork = @Sendable (DataMonkFile, _ count: Int) async throws -> Digest?
    typealias GRDBWork = @Sendable (GRDBFile, _ count: Int) throws -> Digest?

    let name: String
    /// The calls of DataMonk, for the table.
    let way: String
    /// Divides the number of repetitions.
    let reduction: Int
    let dataMonk: DataMonkWork
    let grdb: GRDBWork

    init(
        _ name: String, _ way: String, reduction: Int = 1, dataMonk: @escaping DataMonkWork, grdb: @escaping GRDBWork
    ) {
        self.name = name
        self.way = way
        self.reduction = reduction
        self.dataMonk = dataMonk
        self.grdb = grdb
    }
}
