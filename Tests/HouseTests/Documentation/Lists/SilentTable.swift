import DataMonk
import Foundation

/// A view of rows that draws nothing.
@MainActor final class SilentTable: TableListView {
    enum RowAnimation { case fade }

    let numberOfSections = 0

    func reloadData() {}
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) { updates?() }
    func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
}
