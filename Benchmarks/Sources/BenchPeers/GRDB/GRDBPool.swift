import BenchKit
import GRDB

/// A pool with the library's defaults, as the other peers have it: foreign keys are not enforced.
func makePool(path: String, durability: Durability) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(5)
    let pool = try DatabasePool(path: path, configuration: configuration)
    // The pool sets synchronous = NORMAL itself, after Configuration.prepareDatabase has run.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)") }
    return pool
}
