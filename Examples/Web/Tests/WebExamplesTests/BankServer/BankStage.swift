import Foundation
import Synchronization
import Testing

/// **Value.** An instance of the bank's server.
struct BankInstance: Sendable {
    let socketPath: String
    let database: String

    func start(_ arguments: String...) throws -> Program {
        try Program(
            "/usr/bin/env",
            ["DATABASE_URL=\(database)", Program.path(ofExample: "BankServer"), "--socket", socketPath] + arguments,
            until: /^At (.*)$/.anchorsMatchLineEndings())
    }
}

/// **Shared.** Instances over one database, behind nginx.
final class BankStage: Sendable {
    let client: BankClient
    let instances: [BankInstance]
    private let programs: Mutex<[Program]>
    private let balancer: Program

    init(in folder: URL, database: String, count: Int) throws {
        instances = (1...count).map {
            BankInstance(socketPath: folder.appending(path: "\($0).sock").path, database: database)
        }
        programs = Mutex(try instances.map { try $0.start() })
        client = BankClient(socketPath: folder.appending(path: "nginx.sock").path)
        balancer = try LoadBalancer.start(
            in: folder.appending(path: "nginx"), socketPath: client.socketPath, over: instances.map(\.socketPath))
    }

    /// Kills the first instance, and starts it again.
    func restartFirst() throws {
        try programs.withLock { programs in
            programs[0].kill()
            programs[0] = try instances[0].start()
        }
    }

    /// Ends everything, and returns the statuses of the instances, and all that the programs have said.
    func end() -> (statuses: [Int32], output: String) {
        let balancer = (status: balancer.end(), output: balancer.output)
        return programs.withLock { programs in
            let statuses = programs.map { $0.end() } + [balancer.status]
            return (statuses, programs.map(\.output).joined() + balancer.output)
        }
    }
}
