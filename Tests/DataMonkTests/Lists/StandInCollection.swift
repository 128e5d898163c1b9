import DataMonk
import Foundation

/// A stand-in of `UICollectionView`.
@MainActor final class StandInCollection: CollectionListView {
    let rows = StandInRows()
    var numberOfSections: Int { rows.cells.count }

    func reloadData() { rows.reload() }
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) { rows.perform(updates) }
    func insertSections(_ sections: IndexSet) { rows.note { $0.insertedSections = sections } }
    func deleteSections(_ sections: IndexSet) { rows.note { $0.deletedSections = sections } }
    func insertItems(at indexPaths: [IndexPath]) { rows.note { $0.insertedRows += indexPaths } }
    func deleteItems(at indexPaths: [IndexPath]) { rows.note { $0.deletedRows += indexPaths } }
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        rows.note { $0.movedRows.append(.init(source: indexPath, destination: newIndexPath)) }
    }
    func reloadItems(at indexPaths: [IndexPath]) { rows.draw(indexPaths) }
}
