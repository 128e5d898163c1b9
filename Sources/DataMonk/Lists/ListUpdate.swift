public import DataMonkCore
public import Foundation

/// **Value.** The steps by which a view that shows a list by sections and rows follows a change: one batch of structural
/// steps, and the rows to be drawn again after it.
///
///     let update = ListUpdate(changes)
///     table.performBatchUpdates({
///         table.deleteSections(update.deletedSections, with: .automatic)
///         …
///     }, completion: nil)
///     table.reloadRows(at: update.reloadedRows, with: .none)
///
/// Views are stricter than a difference has to be. A batch never contains a row that its section brings in or takes away,
/// and no row is both moved and reloaded in it. ``ListDataProvider`` applies updates to the views that it is bound to.
public struct ListUpdate: Hashable, Sendable {
    /// **Value.** A row that changes its place.
    public struct Move: Hashable, Sendable {
        /// The row's place before the batch.
        public let source: IndexPath
        /// The row's place after the batch.
        public let destination: IndexPath

        /// Creates a move.
        public init(source: IndexPath, destination: IndexPath) {
            self.source = source
            self.destination = destination
        }
    }

    /// The sections that disappear with their rows, by their indexes before the batch.
    public private(set) var deletedSections = IndexSet()
    /// The sections that appear with their rows, by their indexes after the batch.
    public private(set) var insertedSections = IndexSet()
    /// The rows that disappear from sections that stay, by their index paths before the batch.
    public private(set) var deletedRows: [IndexPath] = []
    /// The rows that appear in sections that stay, by their index paths after the batch.
    public private(set) var insertedRows: [IndexPath] = []
    /// The rows that move between sections that stay, or inside one.
    public private(set) var movedRows: [Move] = []
    /// The rows whose values have changed, by their index paths after the batch. They are reloaded after it.
    public private(set) var reloadedRows: [IndexPath] = []

    /// A Boolean value indicating whether there are no steps in the batch.
    public var isBatchEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deletedRows.isEmpty && insertedRows.isEmpty
            && movedRows.isEmpty
    }

    /// Creates the steps of a change of fetched results.
    ///
    /// - Precondition: The change does not require a fetch. A view reloads everything then.
    public init(_ changes: FetchedResultsChanges) {
        if changes.requiresFetch { stopProgram("These results need a fetch. Reload the view as a whole.") }
        for change in changes.sections {
            switch change.kind {
            case .delete: deletedSections.insert(change.index)
            case .insert: insertedSections.insert(change.index)
            }
        }
        for change in changes.objects { add(change.kind) }
    }

    private mutating func add(_ kind: FetchedResultsChanges.ObjectChange.Kind) {
        switch kind {
        case .delete(let old): delete(old)
        case .insert(let new): insert(new)
        case .update(_, let new): reload(new)
        case .move(let old, let new):
            if deletedSections.contains(old[0]) {
                insert(new)
            } else if insertedSections.contains(new[0]) {
                delete(old)
            } else {
                movedRows.append(Move(source: old, destination: new))
                reload(new)
            }
        }
    }

    private mutating func delete(_ row: IndexPath) {
        if !deletedSections.contains(row[0]) { deletedRows.append(row) }
    }

    private mutating func insert(_ row: IndexPath) {
        if !insertedSections.contains(row[0]) { insertedRows.append(row) }
    }

    private mutating func reload(_ row: IndexPath) {
        if !insertedSections.contains(row[0]) { reloadedRows.append(row) }
    }
}
