public import Foundation

/// **Confined**, to the main actor. A view that shows a list by sections and rows, and that a ``ListDataProvider`` can be
/// bound to.
///
/// The requirements have the spelling that they have in `UITableView`, so that it conforms by an empty extension:
///
///     extension UITableView: TableListView {}
///
/// A view asks its data source for numbers of rows when it is reloaded, when ``numberOfSections`` is first asked for, and
/// at the end of a batch. It must not ask in between.
@MainActor
public protocol TableListView: AnyObject {
    /// The way in which rows appear and disappear.
    associatedtype RowAnimation

    /// The number of sections that the view shows. A view that has not asked for it yet asks its data source.
    var numberOfSections: Int { get }

    /// Shows everything anew.
    func reloadData()

    /// Applies the steps of a block as one. Deletions and the sources of moves refer to the rows before the block,
    /// insertions and the destinations of moves to those after it.
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?)

    /// Shows new sections with their rows.
    func insertSections(_ sections: IndexSet, with animation: RowAnimation)

    /// Removes sections with their rows.
    func deleteSections(_ sections: IndexSet, with animation: RowAnimation)

    /// Shows new rows.
    func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation)

    /// Removes rows.
    func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation)

    /// Moves a row.
    func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath)

    /// Draws rows again.
    func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation)
}

extension TableListView {
    /// Applies an update.
    func apply(_ update: ListUpdate, with animation: RowAnimation) {
        if !update.isBatchEmpty {
            performBatchUpdates({ self.perform(update, with: animation) }, completion: nil)
        }
        if !update.reloadedRows.isEmpty { reloadRows(at: update.reloadedRows, with: animation) }
    }

    private func perform(_ update: ListUpdate, with animation: RowAnimation) {
        if !update.deletedSections.isEmpty { deleteSections(update.deletedSections, with: animation) }
        if !update.deletedRows.isEmpty { deleteRows(at: update.deletedRows, with: animation) }
        if !update.insertedSections.isEmpty { insertSections(update.insertedSections, with: animation) }
        if !update.insertedRows.isEmpty { insertRows(at: update.insertedRows, with: animation) }
        for move in update.movedRows { moveRow(at: move.source, to: move.destination) }
    }
}
