import DataMonk
import Foundation

/// **Confined**, to the main actor. The view that the list is bound to: sections and rows below each other, as a terminal
/// shows them, with marks on what has just changed.
///
/// It keeps the numbers of rows and not the rows: a change costs what it names, and drawing what is visible. The one thing
/// that it remembers is what it has drawn, where it finds the rows that have gone since.
@MainActor
final class JobTable: TableListView {
    enum RowAnimation { case mark }

    /// **Value.** A line of the view.
    enum Line: Hashable, Sendable {
        case section(title: String, count: Int)
        case row(JobRow, RowMark?)
    }

    /// **Value.** A mark, or a row that has gone, until the time at which it is no longer shown.
    private struct Passing<Content> {
        let content: Content
        let until: ContinuousClock.Instant
    }

    private let provider: ListDataProvider<Job, JobRow>
    private let markDuration: Duration
    /// Called when the view has to be drawn.
    var onChange: () -> Void = {}
    private var knownCounts: [Int]?
    private var batch: (inserted: [IndexPath], sections: IndexSet, moved: [ListUpdate.Move]) = ([], [], [])
    private var marks: [AnyObjectID: Passing<RowMark>] = [:]
    /// The lines last drawn, and the time at which the rows among them that have gone are no longer shown.
    private var drawn: [(line: Line, goneUntil: ContinuousClock.Instant?)] = []

    init(of provider: ListDataProvider<Job, JobRow>, markDuration: Duration) {
        self.provider = provider
        self.markDuration = markDuration
    }

    // MARK: The numbers

    /// The number of rows of each section.
    private var counts: [Int] {
        if let knownCounts { return knownCounts }
        let counts = (0..<provider.numberOfSections).map(provider.numberOfObjects)
        knownCounts = counts
        return counts
    }

    var numberOfSections: Int { counts.count }

    /// The number of lines, those of rows that have gone left out.
    var numberOfLines: Int { counts.reduce(0) { $0 + 1 + $1 } }

    /// Returns the line of a row.
    func line(of path: IndexPath) -> Int { counts[..<path[0]].reduce(0) { $0 + 1 + $1 } + 1 + path[1] }

    /// Returns the row in a line or the nearest one before it, otherwise the first one; `nil` if there is none.
    func row(near line: Int) -> IndexPath? {
        var start = 0
        var nearest: IndexPath?
        for (section, count) in counts.enumerated() where count > 0 {
            if nearest != nil, line <= start { break }
            nearest = [section, max(0, min(line - start - 1, count - 1))]
            start += 1 + count
        }
        return nearest
    }

    // MARK: What the provider tells

    func reloadData() {
        knownCounts = nil
        (marks, drawn) = ([:], [])
        onChange()
    }

    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        updates?()
        knownCounts = nil
        markBatch()
        onChange()
        completion?(true)
    }

    func insertSections(_ sections: IndexSet, with _: RowAnimation) { batch.sections.formUnion(sections) }
    // Rows that have gone are found when the next frame is drawn.
    func deleteSections(_ sections: IndexSet, with _: RowAnimation) {}
    func insertRows(at indexPaths: [IndexPath], with _: RowAnimation) { batch.inserted += indexPaths }
    func deleteRows(at indexPaths: [IndexPath], with _: RowAnimation) {}
    func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch.moved.append(ListUpdate.Move(source: indexPath, destination: newIndexPath))
    }

    func reloadRows(at indexPaths: [IndexPath], with _: RowAnimation) {
        let until = ContinuousClock.now + markDuration
        for path in indexPaths {
            // A row that has moved is told as changed too.
            guard let row = provider.cell(at: path) else { continue }
            if let mark = marks[row.id], mark.until > ContinuousClock.now { continue }
            marks[row.id] = Passing(content: .changed, until: until)
        }
        onChange()
    }

    private func markBatch() {
        let known = Set(drawn.compactMap { $0.line.row?.id })
        for path in batch.inserted { mark(path, .inserted) }
        for section in batch.sections {
            // A section comes with its rows. Those that were seen elsewhere have moved.
            for item in 0..<counts[section] {
                let path: IndexPath = [section, item]
                mark(path, provider.cell(at: path).map { known.contains($0.id) } == true ? .movedDown : .inserted)
            }
        }
        for move in batch.moved where move.destination != move.source {
            mark(move.destination, move.destination < move.source ? .movedUp : .movedDown)
        }
        batch = ([], [], [])
    }

    private func mark(_ path: IndexPath, _ mark: RowMark) {
        guard let row = provider.cell(at: path) else { return }
        marks[row.id] = Passing(content: mark, until: ContinuousClock.now + markDuration)
    }

    // MARK: Drawing

    /// Returns lines from one on, and remembers them as drawn; rows that have gone stand where they stood.
    func draw(from first: Int, count: Int, at now: ContinuousClock.Instant) -> [Line] {
        marks = marks.filter { $0.value.until > now }
        var gone = rowsThatHaveGone(at: now)
        var lines: [(line: Line, goneUntil: ContinuousClock.Instant?)] = []
        func add(_ line: Line) {
            lines.append((line, nil))
            for row in gone.removeValue(forKey: line.anchor) ?? [] {
                lines.append((.row(row.content, .deleted), row.until))
            }
        }
        var start = 0
        for (section, rows) in counts.enumerated() {
            if start - first >= count { break }
            if start >= first { add(.section(title: provider.title(ofSection: section) ?? "", count: rows)) }
            let firstItem = max(0, first - start - 1)
            for item in firstItem..<max(firstItem, min(rows, first + count - start - 1)) {
                guard let row = provider.cell(at: [section, item]) else { continue }
                add(.row(row, marks[row.id]?.content))
            }
            start += 1 + rows
        }
        drawn = Array(lines.prefix(count))
        return drawn.map(\.line)
    }

    /// The rows that were drawn and are not in the list any more, by the line that they stand after.
    private func rowsThatHaveGone(at now: ContinuousClock.Instant) -> [Line.Anchor: [Passing<JobRow>]] {
        let titles = Set((0..<numberOfSections).map { provider.title(ofSection: $0) ?? "" })
        var anchor: Line.Anchor?
        var gone: [Line.Anchor: [Passing<JobRow>]] = [:]
        for (line, goneUntil) in drawn {
            switch line {
            case .section(let title, _): if titles.contains(title) { anchor = line.anchor }
            case .row(let row, _) where provider.results?.object(for: row.id) != nil:
                // A row that comes back is drawn where it is now.
                if goneUntil == nil { anchor = line.anchor }
            case .row(let row, _):
                let until = goneUntil ?? now + markDuration
                if let anchor, until > now { gone[anchor, default: []].append(Passing(content: row, until: until)) }
            }
        }
        return gone
    }

    /// The time at which the first mark ends; `nil` if there is none.
    var nextEnd: ContinuousClock.Instant? {
        (marks.values.map(\.until) + drawn.compactMap(\.goneUntil)).min()
    }
}

extension JobTable.Line {
    /// **Value.** The identity of a line.
    enum Anchor: Hashable { case section(String), row(AnyObjectID) }

    var anchor: Anchor {
        switch self {
        case .section(let title, _): .section(title)
        case .row(let row, _): .row(row.id)
        }
    }

    var row: JobRow? {
        if case .row(let row, _) = self { row } else { nil }
    }
}
