/// **Value.** The two ways an application's module can be compiled.
enum IsolationMode: String, CaseIterable, Sendable, CustomStringConvertible {
    case nonisolated
    case mainActor

    var description: String {
        switch self {
        case .nonisolated: "nonisolated by default"
        case .mainActor: "main actor by default"
        }
    }

    var compilerArguments: [String] {
        switch self {
        case .nonisolated: []
        case .mainActor: ["-default-isolation", "MainActor"]
        }
    }
}
