import Foundation

/// An error of a store's driver that knows whether other processes' work was its only cause.
package protocol ContentionFailure: Error {
    /// A Boolean value indicating whether the transaction failed only because others were writing the same rows.
    var isContention: Bool { get }
}

extension StoreError {
    /// A Boolean value indicating whether nothing was written because other processes were writing the same rows: a deadlock,
    /// a serialization failure, or a lock that was not to be had in time. The same write may succeed if it is repeated.
    package var isContention: Bool { (underlyingError as? any ContentionFailure)?.isContention == true }
}

/// **Value.** The repetitions of a write that meets other processes' writes.
package struct ContentionRetry {
    private static let limit = 5
    private var count = 0

    package init() {}

    /// Returns `true` if a write that failed with an error is to run again, after a short wait.
    package mutating func waits(after error: any Error) -> Bool {
        guard count < Self.limit, (error as? StoreError)?.isContention == true else { return false }
        count += 1
        // Jitter, so that writers that have met do not meet again.
        Thread.sleep(forTimeInterval: .random(in: 0...0.01) * Double(1 << count))
        return true
    }
}
