// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A part of the stand-in of UIKit; see UIView.swift.
import DataMonk
public import Foundation

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
    private let rows = DrawnRows()

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
