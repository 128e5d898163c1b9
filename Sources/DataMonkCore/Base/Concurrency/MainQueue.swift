import Dispatch
import Foundation

/// **Value.** Recognizes the queue on which the main actor runs.
package enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Indicates whether the calling code runs on the main actor. On Linux that need not be the main thread: once a
    /// program has called `dispatchMain`, any thread may serve the main queue.
    package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }
}
