/// **Value.** UNION, INTERSECT and MINUS of lists. The result has each value once, in the order of the lists.
enum PlainSet {
    /// The result, nil for every other function.
    ///
    /// - Throws: ``FetchError`` where an argument is no list.
    static func value(
        of function: ConditionExpression.Function, _ arguments: [PlainValue]
    ) throws(FetchError) -> PlainValue? {
        switch function {
        case .union, .intersection, .difference: break
        default: return nil
        }
        guard arguments.count == 2, let first = arguments[0].elements, let second = arguments[1].elements else {
            throw FetchError(.notComparable, "UNION, INTERSECT and MINUS take two lists.")
        }
        var result: [PlainValue] = []
        for element in function == .union ? first + second : first {
            let isWanted =
                switch function {
                case .intersection: try PlainComparison.has(second, element)
                case .difference: try !PlainComparison.has(second, element)
                default: true
                }
            if isWanted, try !PlainComparison.has(result, element) { result.append(element) }
        }
        return .list(result)
    }
}
