/// **Value.** The properties of a section that are remembered from before an event.
struct SectionTrace: Sendable {
    let name: String
    let serial: Int

    init(_ section: ResultSection) {
        name = section.name
        serial = section.serial
    }
}

extension ResultList {
    /// Returns the deleted and inserted sections.
    ///
    /// A section that was emptied and recreated under its name counts as unchanged if it has kept its position among the
    /// sections that were never empty. The moves of its objects are then sufficient.
    func sectionChanges(since before: [SectionTrace]) -> [FetchedResultsChanges.SectionChange] {
        let start = zip(before, sections).prefix { $0.serial == $1.serial }.count
        if start == before.count, start == sections.count { return [] }
        let oldPlaces = Dictionary(
            before[start...].enumerated().map { ($0.element.serial, start + $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let oldNames = Dictionary(
            before[start...].enumerated().map { (SectionKey($0.element.name), start + $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let bounds = upperBounds(from: start, oldPlaces, end: before.count)
        var stayed: Set<Int> = []
        var insertions: [FetchedResultsChanges.SectionChange] = []
        var last = start - 1
        for place in start..<sections.count {
            let section = sections[place]
            let old = oldPlaces[section.serial] ?? oldNames[SectionKey(section.name)]
            if let old, old > last, old <= bounds[place - start] {
                stayed.insert(old)
                last = old
            } else {
                insertions.append(
                    .init(kind: .insert, index: place, name: section.name, count: section.entries.count))
            }
        }
        let deletions = (start..<before.count).filter { !stayed.contains($0) }.map { old in
            FetchedResultsChanges.SectionChange(kind: .delete, index: old, name: before[old].name, count: 0)
        }
        return deletions + insertions
    }

    /// Returns, for each section from `start` on, the last old position it can have without passing a section that was
    /// never empty.
    private func upperBounds(from start: Int, _ oldPlaces: [Int: Int], end: Int) -> [Int] {
        var bounds: [Int] = []
        var bound = end
        for section in sections[start...].reversed() {
            if let old = oldPlaces[section.serial] {
                bounds.append(old)
                bound = old - 1
            } else {
                bounds.append(bound)
            }
        }
        return bounds.reversed()
    }
}
