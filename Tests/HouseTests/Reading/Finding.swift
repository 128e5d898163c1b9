import Testing

/// **Value.** A place that does not keep a rule: where, what, and the remedy.
struct Finding: Sendable, Hashable, Comparable, CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }

    static func < (left: Finding, right: Finding) -> Bool {
        (left.path, left.line, left.message) < (right.path, right.line, right.message)
    }
}

/// Fails with the list of all findings, if there are any.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    if findings.isEmpty { return }
    let list = findings.sorted().map(\.description).joined(separator: "\n")
    Issue.record("\(findings.count) found:\n\(list)", sourceLocation: sourceLocation)
}
