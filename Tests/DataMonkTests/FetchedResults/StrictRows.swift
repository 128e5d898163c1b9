import DataMonk
import Foundation

/// **Value.** The rows of a view that checks each batch as UIKit's views do, and draws a row only where it is told to.
struct StrictRows {
    /// **Value.** What a view would have stopped the program for.
    struct Inconsistency: Error, CustomStringConvertible {
        let description: String
    }

    /// **Value.** The steps inside of one batch.
    struct Batch {
        var deletedSections = IndexSet()
        var insertedSections = IndexSet()
        var deletedRows: [IndexPath] = []
        var insertedRows: [IndexPath] = []
        var movedRows: [ListUpdate.Move] = []
        var reloadedRows: [IndexPath] = []

        init() {}

        init(_ update: ListUpdate) {
            deletedSections = update.deletedSections
            insertedSections = update.insertedSections
            deletedRows = update.deletedRows
            insertedRows = update.insertedRows
            movedRows = update.movedRows
        }
    }

    /// The cells by section, as they were drawn last.
    private(set) var cells: [[String]]

    var counts: [Int] { cells.map(\.count) }

    // MARK: Batches

    /// Applies a batch.
    ///
    /// - Parameters:
    ///   - counts: The data source's numbers after the batch.
    ///   - cell: Draws a new row.
    mutating func apply(_ batch: Batch, counts: [Int], cell: (IndexPath) -> String) throws {
        try checkSources(batch)
        try checkDestinations(batch, counts)
        var after = sectionsAfter(batch)
        guard after.count == counts.count else {
            throw Inconsistency(
                description: "\(after.count) sections after the batch, \(counts.count) in the data source")
        }
        let moved = batch.movedRows.map { ($0.destination, cells[$0.source.section][$0.source.item]) }
        let inserted = batch.insertedRows.map { ($0, cell($0)) }
        for (path, content) in (moved + inserted).sorted(by: { $0.0 < $1.0 }) {
            guard path.item <= after[path.section].count else {
                throw Inconsistency(description: "a row at \(path), of \(after[path.section].count)")
            }
            after[path.section].insert(content, at: path.item)
        }
        for section in batch.insertedSections {
            after[section] = (0..<counts[section]).map { cell(IndexPath(item: $0, section: section)) }
        }
        guard after.map(\.count) == counts else {
            throw Inconsistency(description: "rows \(after.map(\.count)) after the batch, \(counts) in the data source")
        }
        cells = after
    }

    /// Draws rows again, outside of a batch.
    mutating func reload(_ rows: [IndexPath], cell: (IndexPath) -> String) throws {
        for row in rows {
            guard hasRow(row, in: counts) else { throw Inconsistency(description: "a reload of \(row), of \(counts)") }
            cells[row.section][row.item] = cell(row)
        }
    }

    /// The sections that stay, without the rows that leave them, and empty ones for those that are new.
    private func sectionsAfter(_ batch: Batch) -> [[String]] {
        let leaving = Set(batch.deletedRows + batch.movedRows.map(\.source))
        var after: [[String]] = []
        for (section, rows) in cells.enumerated() where !batch.deletedSections.contains(section) {
            after.append(
                rows.enumerated().filter { !leaving.contains([section, $0.offset]) }.map(\.element))
        }
        for section in batch.insertedSections { after.insert([], at: min(section, after.count)) }
        return after
    }

    // MARK: Checks

    private func checkSources(_ batch: Batch) throws {
        let sources = batch.movedRows.map(\.source)
        try expectUnique(batch.deletedRows + sources, "is deleted or moved twice")
        for row in batch.deletedRows + sources + batch.reloadedRows {
            guard hasRow(row, in: counts) else { throw Inconsistency(description: "\(row) is not among \(counts)") }
            if batch.deletedSections.contains(row.section) {
                throw Inconsistency(description: "\(row) is in a deleted section")
            }
        }
        for row in batch.reloadedRows where (batch.deletedRows + sources).contains(row) {
            throw Inconsistency(description: "\(row) is reloaded, and moved or deleted")
        }
        if let last = batch.deletedSections.last, last >= counts.count {
            throw Inconsistency(description: "section \(last) of \(counts.count) is deleted")
        }
    }

    private func checkDestinations(_ batch: Batch, _ counts: [Int]) throws {
        let destinations = batch.insertedRows + batch.movedRows.map(\.destination)
        try expectUnique(destinations, "is inserted twice")
        for row in destinations {
            guard hasRow(row, in: counts) else {
                throw Inconsistency(description: "\(row) is not among \(counts) after the batch")
            }
            if batch.insertedSections.contains(row.section) {
                throw Inconsistency(description: "\(row) is in an inserted section")
            }
        }
        if let last = batch.insertedSections.last, last >= counts.count {
            throw Inconsistency(description: "section \(last) of \(counts.count) is inserted")
        }
    }

    private func hasRow(_ row: IndexPath, in counts: [Int]) -> Bool {
        row.count == 2 && counts.indices.contains(row.section) && (0..<counts[row.section]).contains(row.item)
    }

    private func expectUnique(_ rows: [IndexPath], _ problem: String) throws {
        var known: Set<IndexPath> = []
        for row in rows where !known.insert(row).inserted { throw Inconsistency(description: "\(row) \(problem)") }
    }
}

extension StrictRows {
    /// Draws everything.
    init(counts: [Int], cell: (IndexPath) -> String) {
        cells = counts.enumerated().map { section, count in
            (0..<count).map { cell(IndexPath(item: $0, section: section)) }
        }
    }
}
