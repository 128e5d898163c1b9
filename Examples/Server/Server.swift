import DataMonk
import ExampleChecks
import Foundation

/// A server without a network: a thousand requests at once, their answers, and a clean end.
@main
struct Server {
    static let owners = (0..<50).map { "owner \($0)" }

    static func main() async throws {
        let url = try Expect.emptyFolder().appending(path: "Bank.sqlite")
        let stack = try Stack(Account.self)
        stack.onError { print("error:", $0) }
        try await stack.addStore(.database(fileURL: url))
        let handler = RequestHandler(bank: try Bank(stack: stack), door: Door(capacity: 1_000))

        try await openAccounts(handler)
        try await workAtOnce(handler)
        try await refuse(handler)
        let total = try await handler.bank.total()

        await handler.door.close()
        try Expect.that(await handler.respond(to: .richest(1)).status == 503, "A server that closes lets nobody in.")
        try await stack.closeStores()

        let again = try Stack(Account.self)
        try await again.addStore(.database(fileURL: url))
        try Expect.that(try await Bank(stack: again).total() == total, "What was answered is on disk.")
        try await again.closeStores()
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    /// Four requests for each owner at once.
    private static func openAccounts(_ handler: RequestHandler) async throws {
        let responses = await send((0..<200).map { .open(owners[$0 % 50]) }, to: handler)
        try Expect.that(responses.allSatisfy { $0.status == 200 }, "200 requests to open 50 accounts are answered.")
        try Expect.that(try await handler.bank.accountCount() == 50, "There are 50 accounts, and no owner has two.")
    }

    private static func workAtOnce(_ handler: RequestHandler) async throws {
        let requests: [Request] = (0..<1_000).map { number in
            let owner = owners[number * 7 % 50]
            return switch number % 4 {
            case 0, 1: .deposit(10, to: owner)
            case 2: .transfer(3, from: owner, to: owners[number % 50])
            default: .richest(5)
            }
        }
        let responses = await send(requests, to: handler)
        let statuses = Dictionary(grouping: responses, by: \.status).mapValues(\.count)
        print("1,000 requests at once:", statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" })
        try Expect.that(
            responses.allSatisfy { [200, 409].contains($0.status) }, "Each was granted, or refused for want of money.")
        try Expect.that(
            try await handler.bank.total() == 5_000, "None of 500 deposits was lost, and transfers made no money.")
    }

    private static func refuse(_ handler: RequestHandler) async throws {
        try Expect.that(
            await handler.respond(to: .deposit(1, to: "nobody")).status == 404, "An account that is not there is 404.")
        try Expect.that(
            await handler.respond(to: .deposit(-1_000_000, to: owners[0])).status == 422,
            "A balance below the model's minimum is 422, and nothing is written.")
        let narrow = RequestHandler(bank: handler.bank, door: Door(capacity: 2))
        let statuses = await send((0..<100).map { _ in .deposit(0, to: owners[0]) }, to: narrow).map(\.status)
        try Expect.that(
            statuses.contains(200) && statuses.contains(503), "Behind a narrow door, some are told to try later.")
    }

    private static func send(_ requests: [Request], to handler: RequestHandler) async -> [Response] {
        await withTaskGroup(of: Response.self) { group in
            for request in requests { group.addTask { await handler.respond(to: request) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
