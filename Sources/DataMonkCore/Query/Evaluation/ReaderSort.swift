import Foundation

/// **Value.** Puts objects in the order of a fetch, in memory: the order that a store gives too. Nil comes before every
/// value; objects that are equal to the order stay as they are.
package struct ReaderSort: Sendable {
    private let terms: [ResolvedSortTerm]

    package init(_ terms: [ResolvedSortTerm]) { self.terms = terms }

    /// The objects in order.
    ///
    /// - Complexity: each value is read once.
    package func sorted<Reader: PropertyReader>(_ readers: [Reader]) -> [Reader] {
        if terms.isEmpty || readers.count < 2 { return readers }
        return readers.enumerated()
            .map { Entry(keys: keys(of: $0.element), position: $0.offset) }
            .sorted { comesBefore($0, $1) }
            .map { readers[$0.position] }
    }

    /// Two lists that are each in order, as one; of equal objects the first list's come first.
    package func merged<Reader: PropertyReader>(_ first: [Reader], _ second: [Reader]) -> [Reader] {
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

    private struct Entry {
        let keys: [ManagedValue]
        let position: Int
    }

    private func comesBefore(_ left: Entry, _ right: Entry) -> Bool {
        switch order(left.keys, right.keys) {
        case .ascending: true
        case .descending: false
        case .same: left.position < right.position
        }
    }

    /// What an object is sorted by, a value for each term.
    func keys(of reader: some PropertyReader) -> [ManagedValue] {
        terms.map { term in
            if case .path(let path) = term.expression { path.value(of: reader) } else { .null }
        }
    }

    /// The order of two lists of values, one for each term.
    func order(_ left: [ManagedValue], _ right: [ManagedValue]) -> ValueComparison.Order {
        for (index, term) in terms.enumerated() {
            let order = Self.order(left[index], right[index], term.comparator)
            if order != .same { return term.ascending ? order : order.reversed }
        }
        return .same
    }

    private static func order(
        _ left: ManagedValue, _ right: ManagedValue, _ comparator: SortTerm.Comparator
    ) -> ValueComparison.Order {
        if left.isNull || right.isNull { return .init(!right.isNull, left.isNull && right.isNull) }
        switch (comparator, left, right) {
        case (.localizedStandard, .string(let one), .string(let other)):
            return TextComparison.localizedOrder(one, other)
        case (.caseInsensitive, _, _): return ValueComparison.order(left, right, .caseInsensitive) ?? .same
        default: return ValueComparison.order(left, right) ?? .same
        }
    }
}

extension TextComparison {
    /// The order in which a person of the machine's locale expects names.
    package static func localizedOrder(_ left: String, _ right: String) -> ValueComparison.Order {
        switch left.localizedStandardCompare(right) {
        case .orderedAscending: .ascending
        case .orderedSame: .same
        case .orderedDescending: .descending
        }
    }
}
