import Foundation
import Synchronization
import Testing

@testable import BankServer

/// **Shared.** Clients that transfer money at the same time, and everything that they were told.
final class TransferRun: Sendable {
    static let owners = (0..<10).map { "Owner-\($0)" }
    static let deposit = 1_000
    private static let clients = 8
    private static let transfersOfEach = 50

    private struct Answers {
        var made: [TransferInfo] = []
        var refused: [TransferInfo] = []
        var unexpected: [String] = []
        var countsByInstance: [String: Int] = [:]
    }

    private let client: BankClient
    private let answers = Mutex(Answers())

    init(_ client: BankClient) { self.client = client }

    /// The instances that have answered.
    var instances: Set<String> { Set(answers.withLock(\.countsByInstance.keys)) }

    // MARK: Working

    /// Opens each account four times at once, and makes each deposit twice.
    func open() async throws {
        try await atOnce(4) { [client] _ in
            for owner in Self.owners {
                let answer = try client.sendUntilKnown("PUT", "/accounts/\(owner)")
                #expect(answer.status == 200)
            }
        }
        try await atOnce(2) { [client] _ in
            for owner in Self.owners {
                let order = TransferInfo(key: "first-of-\(owner)", payee: owner, amount: Self.deposit)
                let answer = try client.transfer(order)
                #expect([200, 201].contains(answer.status))
            }
        }
    }

    /// Transfers, and disturbs the bank after a quarter of it.
    func transfer(disturbing disturb: @escaping @Sendable () throws -> Void) async throws {
        try await atOnce(Self.clients) { [client] seat in
            for number in 0..<Self.transfersOfEach {
                let order = Self.order(number, of: seat)
                let count = self.note(try client.transfer(order), to: order)
                if count == Self.clients * Self.transfersOfEach / 4 { try disturb() }
            }
        }
    }

    private static func order(_ number: Int, of seat: Int) -> TransferInfo {
        let payer = (seat + 3 * number) % owners.count
        let payee = (payer + 1 + number % (owners.count - 1)) % owners.count
        return TransferInfo(
            key: "\(seat)-\(number)", payer: owners[payer], payee: owners[payee],
            amount: 1 + (37 * number + 11 * seat) % 300)
    }

    private func note(_ answer: Connection.Answer, to order: TransferInfo) -> Int {
        answers.withLock { answers in
            answers.countsByInstance[answer.instance ?? "none", default: 0] += 1
            switch answer.status {
            case 200, 201: answers.made.append(order)
            // Whatever is no problem's JSON is unexpected.
            case 409 where (try? answer.problem().code) == .notEnough: answers.refused.append(order)
            default: answers.unexpected.append("\(order): \(answer.status)")
            }
            return answers.made.count + answers.refused.count
        }
    }

    // MARK: Checking

    /// The accounts are as the transfers that were acknowledged make them, each of them once, and none of the others.
    func checkAccounts() throws {
        let answers = answers.withLock(\.self)
        #expect(answers.unexpected.isEmpty, "\(answers.unexpected)")
        #expect(answers.made.count + answers.refused.count == Self.clients * Self.transfersOfEach)
        let total: Total = try client.value("/total")
        let expected = Total(accounts: Self.owners.count, balance: Self.owners.count * Self.deposit)
        #expect(total == expected, "\(total)")
        for order in answers.made { #expect(try client.value("/transfers/\(order.key)") == order) }
        for order in answers.refused { #expect(try client.send("GET", "/transfers/\(order.key)").status == 404) }
        var balances = Dictionary(uniqueKeysWithValues: Self.owners.map { ($0, Self.deposit) })
        for order in answers.made {
            balances[order.payee, default: 0] += order.amount
            if let payer = order.payer { balances[payer, default: 0] -= order.amount }
        }
        for (owner, balance) in balances {
            #expect(try client.value("/accounts/\(owner)") == AccountInfo(owner: owner, balance: balance))
        }
        let richest = balances.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
            .map { AccountInfo(owner: $0.key, balance: $0.value) }
        #expect(try client.value("/accounts?richest=3") == richest)
    }

    /// Sends some transfers once more that were made. They are answered, and not made again.
    func repeatSome() throws {
        for order in answers.withLock(\.made).prefix(20) {
            let answer = try client.transfer(order)
            #expect(answer.status == 200)
            #expect(try JSONDecoder().decode(TransferInfo.self, from: answer.body) == order)
        }
    }

    // MARK: Threads

    /// Runs a body for each of so many clients at the same time. Each has a thread: it waits for answers.
    private func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread { continuation.resume(with: Result { try body(number) }) }.start()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
