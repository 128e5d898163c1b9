import DataMonk
import Dispatch
import Foundation
import Testing

/// A queue of its own has a thread whatever the others do.
private let watchdogs = DispatchQueue(label: "Watchdogs")

/// Runs what must not hang: after ten minutes the test fails with its name and goes on without it.
func watched(_ what: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let outcome: Result<Void, any Error>? = await withCheckedContinuation { continuation in
        let waiting = Locked<CheckedContinuation<Result<Void, any Error>?, Never>?>(continuation)
        let finish: @Sendable (Result<Void, any Error>?) -> Void = { outcome in
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: outcome)
        }
        Task.detached {
            do {
                finish(.success(try await body()))
            } catch {
                finish(.failure(error))
            }
        }
        watchdogs.asyncAfter(deadline: .now() + 600) { finish(nil) }  // What ends sooner never meets it.
    }
    guard let outcome else {
        Issue.record("It hangs: \(what)")
        return
    }
    try outcome.get()
}

/// Runs blocking code on a thread that no task needs.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        startThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// Starts a thread with a small stack, so that thousands may stand and wait.
func startThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = stackSize
    thread.start()
}

/// The size of a thread's stack: as on Apple's systems where the program is optimized. The stack frames of debug builds are five
/// times as large, and larger still with AddressSanitizer and ThreadSanitizer.
private let stackSize: Int = {
    let program = dlopen(nil, RTLD_NOW)
    if dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil { return 4 << 20 }
    #if DEBUG
        return 2 << 20
    #else
        return 512 << 10
    #endif
}()
