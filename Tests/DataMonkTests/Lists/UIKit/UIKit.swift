// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataMonk
// A stand-in of the parts of UIKit that DataMonk's providers use, with UIKit's declarations. Its views check each batch as
// UIKit's do, and stop the program where those would. `UIKitTests` compiles it as a module named UIKit.
@_exported import Foundation

@MainActor open class UIView: NSObject {}

@MainActor open class UITableViewCell: UIView {
    public enum EditingStyle: Int { case none, delete, insert }
    public let textLabel: UILabel? = UILabel()
}

@MainActor open class UILabel: UIView {
    open var text: String?
}

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    // Optional in UIKit.
    func numberOfSections(in tableView: UITableView) -> Int
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    func sectionIndexTitles(for tableView: UITableView) -> [String]?
    func tableView(_ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int) -> Int
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
}

@MainActor open class UITableView: UIView {
    public enum RowAnimation: Int { case fade, right, left, top, bottom, none, middle, automatic }

    public weak var dataSource: (any UITableViewDataSource)?
    private let rows = Rows()

    public override init() {
        super.init()
        rows.counts = { [unowned self] in
            guard let dataSource else { return [] }
            return (0..<dataSource.numberOfSections(in: self)).map {
                dataSource.tableView(self, numberOfRowsInSection: $0)
            }
        }
        rows.cell = { [unowned self] in dataSource?.tableView(self, cellForRowAt: $0).textLabel?.text ?? "" }
    }

    /// The texts on the screen.
    public var visibleTexts: [[String]] { rows.cells }
    open var numberOfSections: Int { rows.cells.count }

    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell()
    }
    open func reloadData() { rows.reload() }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        rows.perform(updates)
        completion?(true)
    }
    open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
        rows.note { $0.insertedSections = sections }
    }
    open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
        rows.note { $0.deletedSections = sections }
    }
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        rows.note { $0.insertedRows += indexPaths }
    }
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        rows.note { $0.deletedRows += indexPaths }
    }
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        rows.note { $0.movedRows.append(.init(source: indexPath, destination: newIndexPath)) }
    }
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { rows.draw(indexPaths) }
}

@MainActor open class UICollectionReusableView: UIView {}

@MainActor open class UICollectionViewCell: UICollectionReusableView {
    public let label = UILabel()
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    // Optional in UIKit.
    func numberOfSections(in collectionView: UICollectionView) -> Int
    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView
    func indexTitles(for collectionView: UICollectionView) -> [String]?
    func collectionView(
        _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
    ) -> IndexPath
}

@MainActor open class UICollectionView: UIView {
    public weak var dataSource: (any UICollectionViewDataSource)?
    private let rows = Rows()

    public override init() {
        super.init()
        rows.counts = { [unowned self] in
            guard let dataSource else { return [] }
            return (0..<dataSource.numberOfSections(in: self)).map {
                dataSource.collectionView(self, numberOfItemsInSection: $0)
            }
        }
        rows.cell = { [unowned self] in dataSource?.collectionView(self, cellForItemAt: $0).label.text ?? "" }
    }

    /// The texts on the screen.
    public var visibleTexts: [[String]] { rows.cells }
    open var numberOfSections: Int { rows.cells.count }

    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
    open func register(
        _ viewClass: AnyClass?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String
    ) {}
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell { UICollectionViewCell() }
    open func dequeueReusableSupplementaryView(
        ofKind kind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView { UICollectionReusableView() }
    open func reloadData() { rows.reload() }
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        rows.perform(updates)
        completion?(true)
    }
    open func insertSections(_ sections: IndexSet) { rows.note { $0.insertedSections = sections } }
    open func deleteSections(_ sections: IndexSet) { rows.note { $0.deletedSections = sections } }
    open func insertItems(at indexPaths: [IndexPath]) { rows.note { $0.insertedRows += indexPaths } }
    open func deleteItems(at indexPaths: [IndexPath]) { rows.note { $0.deletedRows += indexPaths } }
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        rows.note { $0.movedRows.append(.init(source: indexPath, destination: newIndexPath)) }
    }
    open func reloadItems(at indexPaths: [IndexPath]) { rows.draw(indexPaths) }
}

/// What both kinds of views have drawn.
@MainActor private final class Rows {
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
