public import Foundation

/// **Confined**, to the main actor. A view that shows a list by sections and items, and that a ``ListDataProvider`` can be
/// bound to.
///
/// The requirements have the spelling that they have in `UICollectionView`, so that it conforms by an empty extension:
///
///     extension UICollectionView: CollectionListView {}
///
/// A view asks its data source for numbers of items when it is reloaded, when ``numberOfSections`` is first asked for, and
/// at the end of a batch. It must not ask in between.
@MainActor
public protocol CollectionListView: AnyObject {
    /// The number of sections that the view shows. A view that has not asked for it yet asks its data source.
    var numberOfSections: Int { get }

    /// Shows everything anew.
    func reloadData()

    /// Applies the steps of a block as one. Deletions and the sources of moves refer to the items before the block,
    /// insertions and the destinations of moves to those after it.
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?)

    /// Shows new sections with their items.
    func insertSections(_ sections: IndexSet)

    /// Removes sections with their items.
    func deleteSections(_ sections: IndexSet)

    /// Shows new items.
    func insertItems(at indexPaths: [IndexPath])

    /// Removes items.
    func deleteItems(at indexPaths: [IndexPath])

    /// Moves an item.
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath)

    /// Draws items again.
    func reloadItems(at indexPaths: [IndexPath])
}

extension CollectionListView {
    /// Applies an update.
    func apply(_ update: ListUpdate) {
        if !update.isBatchEmpty { performBatchUpdates({ self.perform(update) }, completion: nil) }
        if !update.reloadedRows.isEmpty { reloadItems(at: update.reloadedRows) }
    }

    private func perform(_ update: ListUpdate) {
        if !update.deletedSections.isEmpty { deleteSections(update.deletedSections) }
        if !update.deletedRows.isEmpty { deleteItems(at: update.deletedRows) }
        if !update.insertedSections.isEmpty { insertSections(update.insertedSections) }
        if !update.insertedRows.isEmpty { insertItems(at: update.insertedRows) }
        for move in update.movedRows { moveItem(at: move.source, to: move.destination) }
    }
}
