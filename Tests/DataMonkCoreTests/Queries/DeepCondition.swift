import DataMonkCore

extension Condition {
    /// Returns a condition that is true where an age is greater than 3, within many levels.
    ///
    /// - Parameters:
    ///   - way: 0 by NOT, 1 by OR, 2 by AND.
    ///   - depth: The number of levels. Without one, more than a recursive function has room for on any stack.
    static func deep(_ way: Int, _ depth: Int = 200_000) -> Condition {
        (0..<depth).reduce(.compare("age", .greaterThan, 3)) { condition, _ in
            switch way {
            case 0: .not(condition)
            case 1: .or([condition, .constant(false)])
            default: .and([.constant(true), condition])
            }
        }
    }
}
