import Foundation

/// **Value.** Sorts objects in memory in the order of a fetch, which is also the order that a store returns. `nil` comes
/// before every value; the sort is stable.
package struct ReaderSort: Sendable {
    private let terms: [ResolvedSortTerm]

    package init(_ terms: [ResolvedSortTerm]) { self.terms = terms }

    /// Returns the objects in order.
    ///
    /// - Complexity: Reads each value once.
    package func sorted<Reader: PropertyReader>(_ readers: [Reader]) -> [Reader] {
        if terms.isEmpty || readers.count < 2 { return readers }
        let columns = terms.map { term in
            SortColumn(
                readers.map { Self.key(of: $0, for: term) }, ascending: term.ascending, comparator: term.comparator)
        }
        return readers.indices
            .sorted { left, right in
                for column in columns {
                    let order = column.order(left, right)
                    if order != .same { return order == .ascending }
                }
                return left < right
            }
            .map { readers[$0] }
    }

    /// Merges two sorted lists. Of equal objects, those of the first list come first.
    package func merged<Reader: PropertyReader>(_ first: [Reader], with second: [Reader]) -> [Reader] {
        if terms.isEmpty || first.isEmpty || second.isEmpty { return first + second }
        var merged: [Reader] = []
        merged.reserveCapacity(first.count + second.count)
        var place = 0
        var placeKeys = keys(of: first[0])
        for reader in second {
            let readerKeys = keys(of: reader)
            while place < first.count, order(readerKeys, placeKeys) != .ascending {
                merged.append(first[place])
                place += 1
                if place < first.count { placeKeys = keys(of: first[place]) }
            }
            merged.append(reader)
        }
        merged.append(contentsOf: first[place...])
        return merged
    }

    /// Returns the values that an object is sorted by, one for each term.
    func keys(of reader: some PropertyReader) -> [ManagedValue] { terms.map { Self.key(of: reader, for: $0) } }

    private static func key(of reader: some PropertyReader, for term: ResolvedSortTerm) -> ManagedValue {
        if case .path(let path) = term.expression { path.value(of: reader) } else { .null }
    }

    /// Returns the order of two lists of values, one for each term.
    func order(_ left: [ManagedValue], _ right: [ManagedValue]) -> ValueComparison.Order {
        for (index, term) in terms.enumerated() {
            let order = term.comparator.order(left[index], right[index])
            if order != .same { return term.ascending ? order : order.reversed }
        }
        return .same
    }
}

extension TextComparison {
    /// Returns the order that a user expects of names in the machine's locale.
    package static func localizedOrder(_ left: String, _ right: String) -> ValueComparison.Order {
        switch left.localizedStandardCompare(right) {
        case .orderedAscending: .ascending
        case .orderedSame: .same
        case .orderedDescending: .descending
        }
    }
}
