import Foundation
import Testing

@testable import BankServer

/// **Value.** A client of a bank, by a Unix socket.
struct BankClient: Sendable {
    let socketPath: String

    /// Sends a request once.
    func send(_ method: String, _ path: String, _ body: String = "") throws -> Connection.Answer {
        try Connection(toSocket: socketPath).answer(to: method, path, Data(body.utf8))
    }

    /// Sends a request until it is granted or refused. Other answers leave open what has been done.
    func sendUntilKnown(_ method: String, _ path: String, _ body: String = "") throws -> Connection.Answer {
        let deadline = ContinuousClock.now + .seconds(600)
        while true {
            let answer = try send(method, path, body)
            if ![502, 503, 504].contains(answer.status) { return answer }
            try #require(.now < deadline, "\(method) \(path): \(answer.status)")
            usleep(10_000)  // A client that comes again later.
        }
    }

    func transfer(_ order: TransferInfo) throws -> Connection.Answer {
        let body = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
        return try sendUntilKnown("PUT", "/\(order.payer == nil ? "deposits" : "transfers")/\(order.key)", body)
    }

    /// Asks for a value that is there.
    func value<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
        let answer = try sendUntilKnown("GET", path)
        try #require(answer.status == 200, "\(path): \(answer.status)")
        return try JSONDecoder().decode(type, from: answer.body)
    }
}

extension Connection.Answer {
    /// The socket of the instance that has answered; of several that nginx asked, the last one.
    var instance: String? {
        head.split(separator: "\r\n").first { $0.hasPrefix("Instance: ") }?.split(separator: " ").last
            .map { String($0.trimmingPrefix("unix:")) }
    }

    func problem() throws -> Problem { try JSONDecoder().decode(Problem.self, from: body) }
}
