/// **Confined.** Objects in order and in sections: the contents of a controller, and their changes.
///
/// The order is total: by the sort terms, and among equal objects by the order of their insertion. An entry is therefore
/// found by a binary search over the keys it was placed with, and no entry stores its index, which other entries would
/// change.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. The entries ascend, through all sections.
/// 2. `entries` finds each of them by its object, and contains nothing else.
/// 3. With sections, none is empty and no two have the same name. Without, there is exactly one.
/// 4. Serials are unique and below `nextSerial`.
struct ResultList {
    let order: ReaderSort
    let isSectioned: Bool
    var sections: ContiguousArray<ResultSection> = []
    var entries: [ObjectIdentifier: ResultEntry] = [:]
    var nextNumber = 0
    var nextSerial = 0

    /// Creates a list of the objects that a fetch has found, in its order.
    ///
    /// - Throws: ``FetchError`` with the code `inconsistentSections`.
    init(_ verdicts: [ResultVerdict], of request: ResultRequest) throws(FetchError) {
        order = request.order
        isSectioned = request.sectionPath != nil
        entries.reserveCapacity(verdicts.count)
        var placed: [PlacedEntry] = []
        placed.reserveCapacity(verdicts.count)
        for verdict in verdicts {
            guard let place = verdict.place, entries[ObjectIdentifier(verdict.object)] == nil else { continue }
            placed.append(newEntry(verdict.object, at: place))
        }
        // The store's order is the same; should they ever differ, the list's own order must hold.
        if !isAscending(placed) { placed.sort { comesBefore($0.entry, $1.entry) } }
        sections = try arranged(placed, of: request)
    }

    /// The number of objects.
    var count: Int { entries.count }

    /// The objects in order.
    var objects: [ManagedObject] { sections.flatMap { $0.entries.map(\.object) } }

    // MARK: Positions

    /// Returns the position of an object.
    ///
    /// - Complexity: Logarithmic.
    func position(of object: ManagedObject) -> ResultPosition? {
        entries[ObjectIdentifier(object)].flatMap(position)
    }

    func position(of entry: ResultEntry) -> ResultPosition? {
        let section = max(0, firstSection(after: entry) - 1)
        guard sections.indices.contains(section) else { return nil }
        let item = sections[section].entries.firstIndex(notBefore: entry, comesBefore)
        if item < sections[section].entries.count, sections[section].entries[item] === entry {
            return ResultPosition(section: section, item: item)
        }
        // The values have no common order, which is possible only for attributes without a type.
        return slowPosition(of: entry)
    }

    private func slowPosition(of entry: ResultEntry) -> ResultPosition? {
        for section in sections.indices {
            guard let item = sections[section].entries.firstIndex(where: { $0 === entry }) else { continue }
            return ResultPosition(section: section, item: item)
        }
        return nil
    }

    /// Returns the index of the first section that begins after an entry.
    func firstSection(after entry: ResultEntry) -> Int {
        sections.indices.partitionPoint { place in
            sections[place].entries.first.map { comesBefore(entry, $0) } == true
        }
    }

    func comesBefore(_ left: ResultEntry, _ right: ResultEntry) -> Bool {
        switch order.order(left.keys, right.keys) {
        case .ascending: true
        case .same: left.number < right.number
        case .descending: false
        }
    }

    // MARK: Creating

    /// An entry, and the name of the section it belongs to.
    struct PlacedEntry {
        let entry: ResultEntry
        let sectionName: String
    }

    mutating func newEntry(_ object: ManagedObject, at place: ResultVerdict.Place) -> PlacedEntry {
        let entry = ResultEntry(object, number: nextNumber, keys: place.keys)
        nextNumber += 1
        entries[ObjectIdentifier(object)] = entry
        return PlacedEntry(entry: entry, sectionName: place.sectionName)
    }

    mutating func newSection(_ name: String) -> ResultSection {
        defer { nextSerial += 1 }
        return ResultSection(name: name, serial: nextSerial)
    }

    private func isAscending(_ placed: [PlacedEntry]) -> Bool {
        zip(placed, placed.dropFirst()).allSatisfy { comesBefore($0.entry, $1.entry) }
    }

    /// Groups ordered entries into sections. Existing sections continue under their names.
    mutating func arranged(
        _ placed: [PlacedEntry], of request: ResultRequest
    ) throws(FetchError) -> ContiguousArray<ResultSection> {
        if !isSectioned {
            var only = sections.first ?? newSection("")
            only.entries = ContiguousArray(placed.lazy.map(\.entry))
            return [only]
        }
        let serials = Dictionary(
            sections.map { (SectionKey($0.name), $0.serial) }, uniquingKeysWith: { first, _ in first })
        var arranged: ContiguousArray<ResultSection> = []
        var names: Set<SectionKey> = []
        for next in placed {
            if arranged.last?.isNamed(next.sectionName) != true {
                let key = SectionKey(next.sectionName)
                guard names.insert(key).inserted else { throw FetchError.scatteredSection(request) }
                let known = serials[key].map { ResultSection(name: next.sectionName, serial: $0) }
                arranged.append(known ?? newSection(next.sectionName))
            }
            arranged[arranged.count - 1].entries.append(next.entry)
        }
        return arranged
    }
}

extension ContiguousArray<ResultEntry> {
    /// Returns the index of the first entry that does not precede another one.
    func firstIndex(notBefore entry: ResultEntry, _ comesBefore: (ResultEntry, ResultEntry) -> Bool) -> Int {
        indices.partitionPoint { !comesBefore(self[$0], entry) }
    }
}

@available(*, unavailable)
extension ResultList: Sendable {}

@available(*, unavailable)
extension ResultList.PlacedEntry: Sendable {}
