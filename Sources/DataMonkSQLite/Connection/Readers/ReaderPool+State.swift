import Dispatch

/// **Shared.** A connection in transit between two owners.
struct Lent: @unchecked Sendable {
    // @unchecked Sendable: only the pool holds the connection here. It enters as a `sending` parameter, is kept under the
    // pool's lock, and leaves through `surrender()` once. The lock orders one owner's use before the next one's.
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
    /// **Value.** The pool's bookkeeping, without locks or waiting: requests in, answers out.
    struct State: Sendable {
        enum Answer: Sendable {
            case use(Lent)
            /// The caller may open a connection, which is already counted.
            case open
            case closed
        }

        enum Reply: Sendable {
            case answered(Answer)
            /// Wait for the signal, then call `leave` with the ticket.
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

        /// Returns `true` if the pool can lend no further connection.
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

        /// Returns the waiter's answer, or removes it from the line and returns `nil` if none has arrived.
        mutating func leave(_ ticket: Int) -> Answer? {
            line.removeAll { $0.ticket == ticket }
            return answers.removeValue(forKey: ticket)
        }

        /// Takes a connection back. Returns `false` if the pool no longer wants it; it is then no longer counted.
        mutating func take(back lent: Lent) -> Bool {
            if isClosed {
                count -= 1
                return false
            }
            if !answerNext(.use(lent)) { idle.append(lent) }
            return true
        }

        /// Gives the place of a connection that failed to open or to be reused to the next in line.
        mutating func giveUpPlace() {
            if !answerNext(.open) { count -= 1 }
        }

        /// Closes the pool and returns the idle connections, which the caller must close.
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
