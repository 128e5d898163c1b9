import DataMonkCore
import Foundation
import Synchronization

/// **Shared.** The end of a command by a signal: SIGINT, as of Control-C, or SIGTERM. The command is cancelled, so that it
/// removes what it has begun and says how far it came.
///
/// ```
/// until begin()      a signal ends the program at once, as in any other
/// begun --signal--> cancelled --another signal--> the program ends at once
/// ```
/// A handler of signals may do little more than write a byte, which a thread waits for.
package enum Interruption {
    private struct State {
        /// The task of the program.
        var task: Task<Void, Never>?
        /// The number of the signal that has cancelled it.
        var number: Int32?
    }

    private static let state = Locked(State())
    /// The end of a pipe that the handler writes to.
    private static let input = Atomic<Int32>(-1)
    /// The handled signals, a bit for each by its number. The others, which are ignored, stay so.
    private static let handled = Atomic<Int32>(0)

    /// Runs the program in a task that a signal cancels, once ``begin()`` has been called.
    package static func cancelling(_ program: @escaping @Sendable () async -> Void) async {
        let task = Task { await program() }
        let hasEnded = state.withLock { state in
            state.task = task
            return state.number != nil
        }
        if hasEnded { task.cancel() }
        await task.value
    }

    /// Lets the first signal from now on cancel the program in place of ending it. Only for commands that end when they are
    /// cancelled. To be called once.
    static func begin() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, signals end the program as before.
        guard pipe(&ends) == 0 else { return }
        let output = ends[0]
        input.store(ends[1], ordering: .sequentiallyConsistent)
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while read(output, &byte, 1) < 0, errno == EINTR {}
            Interruption.cancel(by: Int32(byte))
        }
        for number in [SIGINT, SIGTERM] {
            // A signal that the program was started to ignore, as a script's job in the background is, stays ignored.
            // Reason for unsafeBitCast: C declares SIG_IGN as the address 1, which no function of Swift has.
            if unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == 1 { continue }
            handled.bitwiseOr(1 << number, ordering: .sequentiallyConsistent)
            _ = signal(number) { number in
                let former = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Interruption.input.load(ordering: .sequentiallyConsistent), &byte, 1)
                let handled = Interruption.handled.load(ordering: .sequentiallyConsistent)
                if handled & 1 << SIGINT != 0 { _ = signal(SIGINT, SIG_DFL) }
                if handled & 1 << SIGTERM != 0 { _ = signal(SIGTERM, SIG_DFL) }
                errno = former
            }
        }
    }

    private static func cancel(by number: Int32) {
        let task = state.withLock { state in
            state.number = number
            return state.task
        }
        task?.cancel()
    }

    /// Ends the program by the signal that has cancelled it, if one has. A shell that sees a program exit instead goes on
    /// with the next one of its script.
    static func endProgram() {
        guard let number = state.withLock(\.number) else { return }
        _ = signal(number, SIG_DFL)
        // This thread may block signals.
        var set = sigset_t()
        _ = sigemptyset(&set)
        _ = sigaddset(&set, number)
        _ = pthread_sigmask(SIG_UNBLOCK, &set, nil)
        _ = raise(number)
    }

    /// The status of a program that a signal has ended, as shells report it.
    static var status: ExitStatus { ExitStatus(rawValue: 128 + (state.withLock { $0.number } ?? SIGINT)) }
}
