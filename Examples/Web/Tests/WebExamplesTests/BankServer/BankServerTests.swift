import DataMonk
import DataMonkTesting
import Foundation
import HTTPTypes
import Testing

@testable import BankServer

extension WebTests {
    /// The bank's server as clients meet it, by its socket or through nginx.
    @Suite struct BankServerTests {
        // MARK: Several clients

        #if Postgres
            @Test(.requiresPrograms("initdb", "nginx"))
            func `two instances over one server keep each transfer, though one of them is killed`() async throws {
                try await withTemporaryStore { url in
                    let folder = url.deletingLastPathComponent()
                    let server = try PostgresServer(in: folder.appending(path: "server"))
                    let stage = try BankStage(in: folder, database: server.url, count: 2)
                    let run = try await check(stage)
                    #expect(run.instances == Set(stage.instances.map(\.socketPath)))
                    // The one that was started again is asked again.
                    let deadline = ContinuousClock.now + .seconds(600)
                    while try stage.client.send("GET", "/health").instance != stage.instances[0].socketPath {
                        try #require(.now < deadline)
                    }
                    _ = server.program.end()
                    for path in ["/total", "/health"] {
                        let answer = try stage.client.send("GET", path)
                        #expect(try answer.status == 503 && answer.problem().code == .unavailable)
                        #expect(!String(decoding: answer.body, as: UTF8.self).contains(PostgresServer.password))
                    }
                    let (statuses, output) = stage.end()
                    #expect(statuses == [0, 0, 0])
                    #expect(output.contains("error") && !output.contains(PostgresServer.password))
                }
            }
        #endif

        @Test(.requiresPrograms("nginx"))
        func `one instance over a file keeps each transfer, though it is killed`() async throws {
            try await withTemporaryStore { url in
                let stage = try BankStage(in: url.deletingLastPathComponent(), database: url.path, count: 1)
                _ = try await check(stage)
                #expect(stage.end().statuses == [0, 0])
            }
        }

        private func check(_ stage: BankStage) async throws -> TransferRun {
            let run = TransferRun(stage.client)
            try await run.open()
            try await run.transfer { try stage.restartFirst() }
            try run.checkAccounts()
            try run.repeatSome()
            try run.checkAccounts()
            return run
        }

        // MARK: One client

        private func withInstance(
            requests: Int = 1_000, body: (BankInstance, Program, BankClient) throws -> Void
        ) async throws {
            try await withTemporaryStore { url in
                let socketPath = url.deletingLastPathComponent().appending(path: "bank.sock").path
                let instance = BankInstance(socketPath: socketPath, database: url.path)
                let program = try instance.start("--requests", "\(requests)")
                try body(instance, program, BankClient(socketPath: socketPath))
            }
        }

        @Test func `a refused request has a status and a code that say why`() async throws {
            try await withInstance { _, program, client in
                for owner in ["Ann", "Bob"] { #expect(try client.send("PUT", "/accounts/\(owner)").status == 200) }
                let deposit = TransferInfo(key: "first", payee: "Ann", amount: 5)
                #expect(try client.transfer(deposit).status == 201)
                for (method, path, body, status, code) in Self.refusals {
                    let answer = try client.send(method, path, body)
                    #expect(answer.status == status, "\(method) \(path) \(body)")
                    #expect(try answer.problem().code == code, "\(method) \(path) \(body)")
                }
                #expect(try client.value("/total") == Total(accounts: 2, balance: 5))
                #expect(program.end() == 0)
            }
        }

        private static let refusals: [(String, String, String, Int, Problem.Code)] = [
            ("PUT", "/transfers/a", "{", 400, .badRequest),
            ("PUT", "/transfers/a", #"{"payer": "Ann", "payee": "Bob"}"#, 400, .badRequest),
            ("PUT", "/transfers/a", #"{"payer": "Ann", "payee": "Bob", "amount": 1e30}"#, 400, .badRequest),
            ("GET", "/accounts?richest=0", "", 400, .badRequest),
            ("GET", "/nothing", "", 404, .notFound), ("GET", "/accounts/Zoe", "", 404, .notFound),
            ("GET", "/transfers/a", "", 404, .notFound),
            ("PUT", "/transfers/a", #"{"payer": "Ann", "payee": "Zoe", "amount": 1}"#, 404, .notFound),
            ("PUT", "/transfers/a", #"{"payer": "Ann", "payee": "Bob", "amount": 6}"#, 409, .notEnough),
            ("PUT", "/deposits/first", #"{"payee": "Ann", "amount": 6}"#, 409, .keyTaken),
            ("PUT", "/transfers/a", #"{"payer": "Ann", "payee": "Bob", "amount": 0}"#, 422, .invalid),
            ("PUT", "/deposits/a", #"{"payee": "Ann", "amount": 9223372036854775807}"#, 422, .invalid),
            ("PUT", "/deposits/a!", #"{"payee": "Ann", "amount": 1}"#, 422, .invalid),
            ("PUT", "/accounts/" + String(repeating: "a", count: 101), "", 422, .invalid),
        ]

        @Test func `a signal lets requests end, and the store is closed`() async throws {
            try await withInstance { instance, program, client in
                #expect(try client.send("PUT", "/accounts/Ann").status == 200)
                let late = try HalfRequest(client)
                kill(program.processID, SIGTERM)
                // Once it does not listen any more, it is ending.
                while (try? Connection(toSocket: client.socketPath)) != nil {}
                #expect(try late.finish().status == 201)
                #expect(program.wait() == 0)
                let again = try instance.start()
                #expect(try client.value("/accounts/Ann") == AccountInfo(owner: "Ann", balance: 7))
                #expect(again.end() == 0)
            }
        }

        @Test func `too many requests at the same time are told to come again`() async throws {
            try await withInstance(requests: 1) { _, program, client in
                #expect(try client.send("PUT", "/accounts/Ann").status == 200)
                let first = try HalfRequest(client)
                let answer = try client.send("GET", "/accounts/Ann")
                #expect(try answer.status == 503 && answer.problem() == .busy)
                #expect(answer.head.lowercased().contains("retry-after: 1"))
                #expect(try first.finish().status == 201)
                #expect(try client.value("/accounts/Ann", as: AccountInfo.self).balance == 7)
                #expect(program.end() == 0)
            }
        }

        /// A deposit of which the server has the first half, and waits for the rest.
        private struct HalfRequest {
            private struct Health: Decodable { let requests: Int }

            private static let body = Data(#"{"payee": "Ann", "amount": 7}"#.utf8)
            private let connection: Connection

            init(_ client: BankClient) throws {
                connection = try Connection(toSocket: client.socketPath)
                let head = "PUT /deposits/late HTTP/1.1\r\nHost: bank\r\nContent-Length: \(Self.body.count)\r\n\r\n"
                try connection.send(Data(head.utf8) + Self.body.prefix(9))
                while try client.value("/health", as: Health.self).requests == 0 {}
            }

            func finish() throws -> Connection.Answer {
                try connection.send(Self.body.dropFirst(9))
                return try connection.answer()
            }
        }

        // MARK: Errors

        @Test func `a server that is not there ends the program, without its password`() throws {
            let url = "postgresql://monk:\(PostgresServer.password)@%2Fnowhere/bank"
            let instance = BankInstance(socketPath: "unused.sock", database: url)
            let failure = #expect(throws: Program.Failure.self) { _ = try instance.start() }
            let message = try #require(failure).description
            #expect(message.contains("Error: ") && !message.contains(PostgresServer.password))
        }

        @Test func `an unknown outcome is told apart from a failure`() {
            let unknown = Problem(StoreError(.outcomeUnknown, "Nobody answers."))
            #expect(unknown.code == .outcomeUnknown && unknown.status == .serviceUnavailable)
            let failed = Problem(StoreError(.writeFailed, "Nobody answers."))
            #expect(failed.code == .unavailable && failed.status == .serviceUnavailable)
        }
    }
}
