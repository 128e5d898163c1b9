public import Foundation
import Synchronization

/// **Shared.** Signals as bytes of a pipe, since a handler may do little more than write one.
///
/// Dispatch's own sources of signals lose some on Linux, once the first thread has ended and waits for signals alone (Swift
/// 6.3): a signal to that thread is raised again there, and not where the source looks.
public enum SignalPipe {
    private static let input = Atomic<Int32>(-1)

    /// Calls a block on the main actor with the number of each signal that arrives. To be called once.
    ///
    /// - Returns: The source of the calls, which end with it.
    /// - Throws: `POSIXError` if there is no pipe.
    public static func follow(
        _ signals: [Int32], _ body: @escaping @MainActor (Int32) -> Void
    ) throws -> any DispatchSourceProtocol {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        let output = ends[0]
        let source = DispatchSource.makeReadSource(fileDescriptor: output, queue: .main)
        source.setEventHandler {
            var numbers = [UInt8](repeating: 0, count: 64)
            let count = read(output, &numbers, numbers.count)
            for number in numbers.prefix(max(0, count)) { MainActor.assumeIsolated { body(Int32(number)) } }
        }
        source.activate()
        input.store(ends[1], ordering: .sequentiallyConsistent)
        for number in signals { catchSignal(number) }
        return source
    }

    private static func catchSignal(_ number: Int32) {
        _ = signal(number) { number in
            let former = errno
            var byte = UInt8(truncatingIfNeeded: number)
            // A full pipe has signals enough.
            _ = write(SignalPipe.input.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = former
        }
    }

    /// Ends the program by a signal, as if nobody had caught it, so that the shell learns why.
    public static func endProgram(by number: Int32) {
        _ = signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
