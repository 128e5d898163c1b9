// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A part of the stand-in of UIKit; see UIView.swift.
import DataMonk
public import Foundation

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
    private let rows = DrawnRows()

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
