// A part of the stand-in of UIKit; see UIView.swift.
import DataMonk
import Foundation

/// What both kinds of views have drawn.
@MainActor final class DrawnRows {
    var counts: () -> [Int] = { [] }
    var cell: (IndexPath) -> String = { _ in "" }
    private var rows: StrictRows?
    private var batch: StrictRows.Batch?

    var cells: [[String]] { drawn.cells }

    private var drawn: StrictRows {
        let drawn = rows ?? StrictRows(counts: counts(), cell: cell)
        rows = drawn
        return drawn
    }

    func reload() { rows = nil }

    func note(_ step: (inout StrictRows.Batch) -> Void) {
        guard var steps = batch else { fatalError("a step outside of a batch") }
        step(&steps)
        batch = steps
    }

    func perform(_ updates: (() -> Void)?) {
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
        do { try body() } catch { fatalError("\(error)") }
    }
}
