/// **Value.** Answers a fetch for rows of values from several stores.
///
/// Each store is asked for the values of single objects (``part``), and the rows are made of these in memory, exactly
/// as for a store without a database. Where all of the values are properties and the rows are aggregated, objects with
/// the same values come as one, with their number: the count of a group takes one row from each store.
package struct CombinedRows: RowParts {
    private let fetch: ResolvedFetch
    /// The fetch that each store answers.
    package let part: ResolvedFetch
    private let isWeighted: Bool

    package init(_ fetch: ResolvedFetch) {
        self.fetch = fetch
        isWeighted = fetch.isAggregated && fetch.memberValues.allSatisfy(\.isGroupable)
        part = fetch.members(areWeighted: isWeighted)
    }

    /// Returns the rows of the fetch.
    ///
    /// - Parameter members: The rows of ``part`` from all stores.
    package func rows(of members: [[ManagedValue]]) throws(FetchError) -> [[ManagedValue]] {
        try RowComposer.rows(of: isWeighted ? members.filter { weight(of: $0) > 0 } : members, self, fetch)
    }

    func weight(of member: [ManagedValue]) -> Int {
        if isWeighted, case .int(let count)? = member.last { Int(count) } else { 1 }
    }

    func column(_ position: Int, of member: [ManagedValue]) -> ManagedValue { member[position] }

    func operand(_ position: Int, of member: [ManagedValue]) -> ManagedValue { member[position] }

    func group(_ position: Int, of member: [ManagedValue]) -> ManagedValue {
        member[fetch.selections.count + position]
    }

    func sortKey(_ position: Int, at path: ResolvedPath, of member: [ManagedValue]) -> ManagedValue {
        member[fetch.selections.count + fetch.groups.count + position]
    }
}

extension ResolvedExpression {
    /// A Boolean value indicating whether rows can be grouped by the value, if only because it is the same for all.
    fileprivate var isGroupable: Bool {
        switch self {
        case .constant: true
        case .path(let path): path.kind != .opaque
        default: false
        }
    }
}
