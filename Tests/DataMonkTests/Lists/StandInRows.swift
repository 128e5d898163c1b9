import DataMonk
import Foundation

/// The state that the views below share: what they have drawn, and the steps of the present batch.
@MainActor final class StandInRows {
    /// The data source's answers.
    var counts: () -> [Int] = { [] }
    var cell: (IndexPath) -> String = { _ in "" }
    private(set) var problems: [String] = []
    private(set) var reloads = 0
    private(set) var batches = 0
    private var rows: StrictRows?
    private var batch: StrictRows.Batch?

    /// What is drawn. Asks the data source if it was never asked.
    var cells: [[String]] { drawn.cells }

    private var drawn: StrictRows {
        if let rows { return rows }
        let fresh = StrictRows(counts: counts(), cell: cell)
        rows = fresh
        return fresh
    }

    func reload() {
        reloads += 1
        rows = nil
    }

    func note(_ step: (inout StrictRows.Batch) -> Void) {
        guard var steps = batch else {
            problems.append("a step outside of a batch")
            return
        }
        step(&steps)
        batch = steps
    }

    func perform(_ updates: (() -> Void)?) {
        batches += 1
        var present = drawn
        batch = StrictRows.Batch()
        updates?()
        let steps = batch ?? StrictRows.Batch()
        batch = nil
        attempt { try present.apply(steps, counts: counts(), cell: cell) }
        rows = present
    }

    func draw(_ paths: [IndexPath]) {
        if batch != nil { return note { $0.reloadedRows += paths } }
        var present = drawn
        attempt { try present.reload(paths, cell: cell) }
        rows = present
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { problems.append("\(error)") }
    }
}
