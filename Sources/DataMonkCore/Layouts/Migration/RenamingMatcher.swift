/// **Value.** Finds the old name for each name in a new version of a model.
///
/// The rules apply in this order, and each old name is used once. Names with a fixed source, or none, take no part:
/// 1. A new name with a renaming identifier gets the old name with the same identifier, or else the old name that is spelled
///    like the identifier: `hexColor` with the identifier `color` was `hexColor` with that identifier, or `color`.
/// 2. A new name gets the old name with the same spelling, whatever their identifiers: an author may drop the identifier one
///    version later.
/// 3. A new name without an identifier gets the old name whose identifier spells it: it was renamed back.
struct RenamingMatcher {
    struct Name {
        let name: String
        let identifier: String?
    }

    /// The index of the old name for each new name; `nil` for a new one.
    private(set) var sources: [Int?]
    /// The indexes of new names whose identifier claims the same old name as another one's.
    private(set) var ambiguous: [Int] = []

    private let new: [Name]
    private var taken: Set<Int>
    /// The indexes of old names that are given to a new name, or to none.
    private let given: Set<Int>

    /// The indexes of new names whose source is given.
    private let fixed: Set<Int>
    /// The indexes of old names by spelling, and by identifier.
    private let places: (byName: [String: [Int]], byIdentifier: [String: [Int]])

    /// Matches names.
    ///
    /// - Parameters:
    ///   - fixed: The indexes of old names for new ones, or `nil` for no source, where they are given.
    ///   - excluded: The indexes of old names that are no one's source.
    init(from old: [Name], to new: [Name], fixed: [Int: Int?] = [:], excluded: Set<Int> = []) {
        self.new = new
        self.fixed = Set(fixed.keys)
        sources = new.indices.map { fixed[$0] ?? nil }
        taken = excluded.union(fixed.values.compactMap(\.self))
        given = taken
        places = (
            byName: Dictionary(grouping: old.indices) { old[$0].name },
            byIdentifier: Dictionary(grouping: old.indices.filter { old[$0].identifier != nil }) {
                old[$0].identifier ?? ""
            }
        )
        matchIdentifiers()
        matchRest { [places] new in places.byName[new.name] }
        matchRest { [places] new in new.identifier == nil ? places.byIdentifier[new.name] : nil }
    }

    private mutating func matchIdentifiers() {
        for place in new.indices {
            guard let identifier = new[place].identifier, !fixed.contains(place),
                let source = places.byIdentifier[identifier]?.first ?? places.byName[identifier]?.first,
                !given.contains(source)
            else { continue }
            if taken.insert(source).inserted {
                sources[place] = source
            } else {
                ambiguous.append(place)
            }
        }
    }

    /// - Parameter candidates: Returns the indexes of the old names that a new one may have had.
    private mutating func matchRest(_ candidates: (Name) -> [Int]?) {
        let ambiguous = Set(ambiguous)
        for place in new.indices
        where sources[place] == nil && !ambiguous.contains(place) && !fixed.contains(place) {
            guard let source = candidates(new[place])?.first(where: { !taken.contains($0) }) else { continue }
            taken.insert(source)
            sources[place] = source
        }
    }
}
