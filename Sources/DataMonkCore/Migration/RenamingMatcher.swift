/// **Value.** Finds for each name of a new version of a model the one it had in the old version.
///
/// In this order, each old name given once:
/// 1. a new name with a renaming identifier gets the old name of that identifier, else the old name that the identifier
///    spells: `hexColor` with the identifier `color` was `hexColor` with it, or `color`;
/// 2. a new name gets the old name that is spelled as it is, whatever their identifiers: an author may drop the
///    identifier a version later;
/// 3. a new name without identifier gets the old name whose identifier spells it: it was renamed back.
struct RenamingMatcher {
    struct Name {
        let name: String
        let identifier: String?
    }

    /// For each new name the place of the old one, nil for one that is new.
    private(set) var sources: [Int?]
    /// The places of new names whose identifier claims what another one's claims.
    private(set) var ambiguous: [Int] = []

    private let old: [Name]
    private let new: [Name]
    private var taken: Set<Int> = []

    init(from old: [Name], to new: [Name]) {
        self.old = old
        self.new = new
        sources = Array(repeating: nil, count: new.count)
        matchIdentifiers()
        matchRest { old, new in old.name == new.name }
        matchRest { old, new in new.identifier == nil && old.identifier == new.name }
    }

    private mutating func matchIdentifiers() {
        for place in new.indices {
            guard let identifier = new[place].identifier,
                let source = old.firstIndex(where: { $0.identifier == identifier })
                    ?? old.firstIndex(where: { $0.name == identifier })
            else { continue }
            if taken.insert(source).inserted {
                sources[place] = source
            } else {
                ambiguous.append(place)
            }
        }
    }

    private mutating func matchRest(_ fits: (Name, Name) -> Bool) {
        for place in new.indices where sources[place] == nil && !ambiguous.contains(place) {
            guard let source = old.indices.first(where: { !taken.contains($0) && fits(old[$0], new[place]) }) else {
                continue
            }
            taken.insert(source)
            sources[place] = source
        }
    }
}
