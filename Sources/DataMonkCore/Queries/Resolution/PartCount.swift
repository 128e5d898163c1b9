/// **Confined.** The number of condition parts that one resolution has visited.
///
/// A few lines of a format, or code that inserts a tree into itself, can ask for more parts than memory holds:
/// `x IN a UNION b UNION …` repeats its left side for each set.
final class PartCount {
    private var count = 0

    /// The maximum number of parts, equal to the maximum number of characters in a format: whatever can be written can be
    /// resolved.
    static let maximum = FormatLexer.maximumLength

    /// Counts one more part.
    func add(of entity: Entity) throws(FetchError) {
        count += 1
        guard count <= Self.maximum else {
            throw FetchError(
                .invalidRequest,
                """
                The condition has more than \(Self.maximum) parts. Pass long lists of constants to IN as a single \
                value.
                """,
                entityName: entity.name)
        }
    }
}

@available(*, unavailable)
extension PartCount: Sendable {}
