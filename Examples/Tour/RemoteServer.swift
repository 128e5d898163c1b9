import Foundation

/// **Value.** Stands for a server that takes its time and answers on a thread of its own.
struct RemoteServer: Sendable {
    /// Calls back with the age of a person.
    func findAge(_ name: String, location: String?, _ answer: @escaping @Sendable (Int) -> Void) {
        DispatchQueue.global().async { answer(40 + name.count) }
    }

    /// The same for those who can wait.
    func age(of name: String) async -> Int {
        await withCheckedContinuation { continuation in
            findAge(name, location: nil) { continuation.resume(returning: $0) }
        }
    }
}
