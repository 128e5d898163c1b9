/// **Confined.** How many parts of a condition one resolution has looked at.
///
/// A few lines of a format, or of code that puts a tree into itself, can ask for more parts than memory holds: `x IN a UNION
/// b UNION …` says its left side once for each set.
final class PartCount {
    private var count = 0

    /// As many as a format has characters at most: what can be written down can be resolved.
    static let maximum = FormatLexer.maximumLength

    /// Counts one more.
    func add(of entity: Entity) throws(FetchError) {
        count += 1
        guard count <= Self.maximum else {
            throw FetchError(
                .invalidRequest,
                "The condition has more than \(Self.maximum) parts: give long lists of constants to IN as one value.",
                entityName: entity.name)
        }
    }
}

@available(*, unavailable)
extension PartCount: Sendable {}
