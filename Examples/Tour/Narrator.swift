import Foundation

/// **Shared.** Prints what happens: steps by number, results under them and, if asked for, statements between.
final class Narrator: Sendable {
    private let showsSQL: Bool

    init(showsSQL: Bool) {
        self.showsSQL = showsSQL
    }

    /// What is about to happen.
    func step(_ text: String) {
        print("\n\(text)")
    }

    /// What came of it.
    func result(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { print("   -> \(line)") }
    }

    /// What the stack is to call with each statement; nil if nobody wants to see them.
    var trace: (@Sendable (String) -> Void)? {
        guard showsSQL else { return nil }
        return { statement in print("      \(statement)") }
    }

    func end(_ text: String) {
        print("\n\(text)")
    }
}
