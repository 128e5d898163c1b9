import DataMonkCore
import Dispatch

/// **Shared.** A connection on its way between two owners.
struct Lent: @unchecked Sendable {
    // @unchecked Sendable: the pool is the only one to hold the connection here. It comes in as a `sending` parameter,
    // lies under the pool's lock, and leaves through `surrender()` once; the lock orders one owner's use before the
    // next one's.
    let value: SQLiteConnection

    init(_ connection: sending SQLiteConnection) {
        value = connection
    }

    func surrender() -> sending SQLiteConnection {
        // nonisolated(unsafe): the box is given up with this call; see above.
        nonisolated(unsafe) let connection = value
        return connection
    }
}

extension ReaderPool {
    /// **Value.** The pool's book, without locks or waiting: requests in, answers out.
    struct State: Sendable {
        enum Answer: Sendable {
            case use(Lent)
            /// The caller may open one; its place is counted.
            case open
            case closed
        }

        enum Reply: Sendable {
            case answered(Answer)
            /// Wait for the signal, then `leave` with the ticket.
            case wait(ticket: Int, DispatchSemaphore)
        }

        private struct Waiter: Sendable {
            let ticket: Int
            let signal: DispatchSemaphore
        }

        private(set) var count = 0
        private var idle: [Lent] = []
        private var line: [Waiter] = []
        private var answers: [Int: Answer] = [:]
        private var nextTicket = 0
        private var isClosed = false

        /// Whether every connection that there may be is lent.
        func isExhausted(capacity: Int) -> Bool { idle.isEmpty && count == capacity }

        mutating func ask(capacity: Int) -> Reply {
            if isClosed { return .answered(.closed) }
            if let lent = idle.popLast() { return .answered(.use(lent)) }
            if count < capacity {
                count += 1
                return .answered(.open)
            }
            nextTicket += 1
            let waiter = Waiter(ticket: nextTicket, signal: DispatchSemaphore(value: 0))
            line.append(waiter)
            return .wait(ticket: waiter.ticket, waiter.signal)
        }

        /// The waiter's answer; `nil` when none has come, and then it is out of the line.
        mutating func leave(_ ticket: Int) -> Answer? {
            line.removeAll { $0.ticket == ticket }
            return answers.removeValue(forKey: ticket)
        }

        /// Answers false when the connection is not wanted any more, and is not counted then.
        mutating func take(back lent: Lent) -> Bool {
            if isClosed {
                count -= 1
                return false
            }
            if !answerNext(.use(lent)) { idle.append(lent) }
            return true
        }

        /// A connection failed to open or to be reused: its place goes to the next in line.
        mutating func giveUpPlace() {
            if !answerNext(.open) { count -= 1 }
        }

        /// The idle connections, which the caller closes.
        mutating func close() -> [Lent] {
            isClosed = true
            while answerNext(.closed) {}
            defer { idle = [] }
            count -= idle.count
            return idle
        }

        private mutating func answerNext(_ answer: Answer) -> Bool {
            guard !line.isEmpty else { return false }
            let waiter = line.removeFirst()
            answers[waiter.ticket] = answer
            waiter.signal.signal()
            return true
        }
    }
}
