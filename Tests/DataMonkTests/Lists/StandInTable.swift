import DataMonk
import Foundation

/// A stand-in of `UITableView`.
@MainActor final class StandInTable: TableListView {
    enum RowAnimation { case fade }

    let rows = StandInRows()
    var numberOfSections: Int { rows.cells.count }

    func reloadData() { rows.reload() }
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) { rows.perform(updates) }
    func insertSections(_ sections: IndexSet, with _: RowAnimation) { rows.note { $0.insertedSections = sections } }
    func deleteSections(_ sections: IndexSet, with _: RowAnimation) { rows.note { $0.deletedSections = sections } }
    func insertRows(at indexPaths: [IndexPath], with _: RowAnimation) { rows.note { $0.insertedRows += indexPaths } }
    func deleteRows(at indexPaths: [IndexPath], with _: RowAnimation) { rows.note { $0.deletedRows += indexPaths } }
    func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        rows.note { $0.movedRows.append(.init(source: indexPath, destination: newIndexPath)) }
    }
    func reloadRows(at indexPaths: [IndexPath], with _: RowAnimation) { rows.draw(indexPaths) }
}
