import Foundation

/// Applies an event to a list: removes the objects that leave or move, and inserts those that enter or move. The work is
/// proportional to their number times the logarithm of the list's length, plus moves of memory.
extension ResultList {
    /// **Confined.** The changes of an event, collected before the list is changed.
    struct Plan {
        fileprivate var leaving: [(entry: ResultEntry, old: ResultPosition)] = []
        fileprivate var arriving: [(object: ManagedObject, place: ResultVerdict.Place)] = []
        fileprivate var moving: [(entry: ResultEntry, old: ResultPosition, place: ResultVerdict.Place)] = []
        fileprivate var updated: [(entry: ResultEntry, old: ResultPosition)] = []

        var isEmpty: Bool { leaving.isEmpty && arriving.isEmpty && moving.isEmpty && updated.isEmpty }
    }

    /// Applies a plan to the list that it was made for.
    ///
    /// - Throws: ``FetchError`` with the code `inconsistentSections`. The list must not be used any more.
    mutating func apply(
        _ plan: Plan, of request: ResultRequest, version: Int
    ) throws(FetchError) -> FetchedResultsChanges {
        let before = sections.map { SectionTrace($0) }
        take(plan.leaving.map(\.old) + plan.moving.map(\.old))
        for (entry, _) in plan.leaving { entries[ObjectIdentifier(entry.object)] = nil }
        for (entry, _, place) in plan.moving { entry.keys = place.keys }
        let arriving = plan.arriving.map { newEntry($0.object, at: $0.place) }
        let entering =
            arriving
            + plan.moving.map { PlacedEntry(entry: $0.entry, sectionName: $0.place.sectionName) }
        try put(entering.sorted { comesBefore($0.entry, $1.entry) }, of: request)
        var changes = FetchedResultsChanges(version: version)
        changes.sections = sectionChanges(since: before)
        changes.objects = objectChanges(of: plan, arriving: arriving.map(\.entry))
        return changes
    }

    /// Returns the changes that verdicts, one for each object, make to the list.
    func plan(_ verdicts: [ResultVerdict]) -> Plan {
        var plan = Plan()
        for verdict in verdicts {
            let entry = entries[ObjectIdentifier(verdict.object)]
            guard let entry, let old = position(of: entry) else {
                if let place = verdict.place { plan.arriving.append((verdict.object, place)) }
                continue
            }
            guard let place = verdict.place else {
                plan.leaving.append((entry, old))
                continue
            }
            if !isPlaced(entry, in: sections[old.section], at: place) {
                plan.moving.append((entry, old, place))
            } else if verdict.isChanged {
                plan.updated.append((entry, old))
            }
        }
        return plan
    }

    private func isPlaced(_ entry: ResultEntry, in section: ResultSection, at place: ResultVerdict.Place) -> Bool {
        // Keys can be equal in Swift but differ in the order, as differently composed letters do, or the other way round.
        entry.keys == place.keys && order.order(entry.keys, place.keys) == .same && section.isNamed(place.sectionName)
    }

    // MARK: A limited list

    /// Returns the effects of an event on a list of which the store has the rest; `nil` if they depend on that.
    ///
    /// An object of the list that keeps its place, and one that belongs behind the last object of a full list, decide
    /// nothing. Whatever else happens may bring in objects that are not known here, or drive known ones out.
    func verdicts(_ verdicts: [ResultVerdict], within limit: Int) -> [ResultVerdict]? {
        let last = count == limit ? sections.last?.entries.last : nil
        var kept: [ResultVerdict] = []
        for verdict in verdicts {
            if let entry = entries[ObjectIdentifier(verdict.object)] {
                guard let place = verdict.place, let position = position(of: entry),
                    isPlaced(entry, in: sections[position.section], at: place)
                else { return nil }
                kept.append(verdict)
            } else if let place = verdict.place {
                guard let last, order.order(last.keys, place.keys) == .ascending else { return nil }
            }
        }
        return kept
    }

    // MARK: Removing

    private mutating func take(_ positions: [ResultPosition]) {
        if positions.isEmpty { return }
        var end = positions.count
        let sorted = positions.sorted()
        while end > 0 {
            let section = sorted[end - 1].section
            let start = sorted[..<end].lastIndex { $0.section != section }.map { $0 + 1 } ?? 0
            sections[section].entries.remove(atAscending: sorted[start..<end].map(\.item))
            end = start
        }
        if isSectioned { sections.removeAll(where: \.entries.isEmpty) }
    }

    // MARK: Inserting

    /// The number of new entries from which the list is rebuilt as a whole, unless it is more than 16 times as long.
    private static let smallNumber = 64

    private mutating func put(_ entering: [PlacedEntry], of request: ResultRequest) throws(FetchError) {
        if entering.count < Self.smallNumber || entering.count < entries.count / 16 {
            var names = NewNames()
            for next in entering { try put(next, of: request, names: &names) }
            return
        }
        var all: [PlacedEntry] = []
        all.reserveCapacity(entries.count)
        var rest = entering[...]
        for section in sections {
            for entry in section.entries {
                while let next = rest.first, comesBefore(next.entry, entry) { all.append(rest.removeFirst()) }
                all.append(PlacedEntry(entry: entry, sectionName: section.name))
            }
        }
        sections = try arranged(all + rest, of: request)
    }

    /// The names of all sections, collected when the first new section is inserted.
    private struct NewNames {
        var known: Set<SectionKey>?
    }

    private mutating func put(
        _ next: PlacedEntry, of request: ResultRequest, names: inout NewNames
    ) throws(FetchError) {
        let after = firstSection(after: next.entry)
        let before = after - 1
        if before >= 0 {
            let item = sections[before].entries.firstIndex(notBefore: next.entry, comesBefore)
            if !isSectioned || sections[before].isNamed(next.sectionName) {
                return sections[before].entries.insert(next.entry, at: item)
            }
            guard item == sections[before].entries.count else { throw FetchError.scatteredSection(request) }
        }
        if after < sections.count, !isSectioned || sections[after].isNamed(next.sectionName) {
            return sections[after].entries.insert(next.entry, at: 0)
        }
        if names.known == nil { names.known = Set(sections.map { SectionKey($0.name) }) }
        guard names.known?.insert(SectionKey(next.sectionName)).inserted == true else {
            throw FetchError.scatteredSection(request)
        }
        var section = newSection(next.sectionName)
        section.entries.append(next.entry)
        sections.insert(section, at: after)
    }

    // MARK: Reporting

    /// Returns the change that makes the list of nothing.
    func insertions(version: Int) -> FetchedResultsChanges {
        var changes = FetchedResultsChanges(version: version)
        for (index, section) in sections.enumerated() {
            changes.sections.append(
                .init(kind: .insert, index: index, name: section.name, count: section.entries.count))
            for (item, entry) in section.entries.enumerated() {
                changes.objects.append(Change(objectID: entry.id, kind: .insert([index, item])))
            }
        }
        return changes
    }

    private typealias Change = FetchedResultsChanges.ObjectChange

    private func objectChanges(of plan: Plan, arriving: [ResultEntry]) -> [Change] {
        let deletions = plan.leaving.sorted { $0.old < $1.old }.map { gone in
            Change(objectID: gone.entry.id, kind: .delete(IndexPath(gone.old)))
        }
        let insertions = changes(of: arriving.map { ($0, nil) }) { .insert($1) }
        let moves = changes(of: plan.moving.map { ($0.entry, $0.old) }) { .move($0, $1) }
        let updates = changes(of: plan.updated.map { ($0.entry, $0.old) }) { .update($0, $1) }
        return deletions + insertions + moves + updates
    }

    /// Returns the changes of entries that are in the list, in its order.
    private func changes(
        of entries: [(entry: ResultEntry, old: ResultPosition?)], _ kind: (IndexPath, IndexPath) -> Change.Kind
    ) -> [Change] {
        let placed = entries.compactMap { entry, old in position(of: entry).map { (entry: entry, old: old, new: $0) } }
        return placed.sorted { $0.new < $1.new }.map { entry, old, new in
            Change(objectID: entry.id, kind: kind(IndexPath(old ?? new), IndexPath(new)))
        }
    }
}

@available(*, unavailable)
extension ResultList.Plan: Sendable {}
