/// **Value.** The two ways an application's module can be compiled.
package enum IsolationMode: String, CaseIterable, Sendable, CustomStringConvertible {
    case nonisolated
    case mainActor

    package var description: String {
        switch self {
        case .nonisolated: "nonisolated by default"
        case .mainActor: "main actor by default"
        }
    }

    package var compilerArguments: [String] {
        switch self {
        case .nonisolated: []
        case .mainActor: ["-default-isolation", "MainActor"]
        }
    }
}
