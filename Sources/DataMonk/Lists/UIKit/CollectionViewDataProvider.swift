#if canImport(UIKit) && !os(watchOS)
    public import DataMonkCore
    public import UIKit

    /// **Shared**, on the main actor. The contents of a collection view: the objects of a query, which follow the store.
    ///
    ///     dataProvider = CollectionViewDataProvider<Photo>(context: World).bind(collectionView) { photo, indexPath in
    ///         collectionView.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: photo.title)
    ///     }
    ///     try dataProvider.query(orderBy: .Ascending("title"))
    ///
    /// It is the view's data source; ``list`` has everything else that can be set and asked.
    @preconcurrency @MainActor
    public final class CollectionViewDataProvider<Object: ManagedObject> {
        /// The provider that this one shows in a collection view.
        public let list: ListDataProvider<Object, UICollectionViewCell>
        private let source = CollectionDataSource()
        private weak var boundView: UICollectionView?
        /// Returns the supplementary view of a kind at an index path. Set it if the view's layout has such views.
        public var onGetSupplementaryView: ((String, IndexPath) -> UICollectionReusableView)? {
            get { source.supplementaryView }
            set { source.supplementaryView = newValue }
        }

        /// Creates a provider without contents.
        public init(context: MainContext) {
            list = ListDataProvider(context: context)
        }

        /// Becomes the data source of a collection view, which is told of each change from now on.
        @discardableResult
        public func bind(
            _ collectionView: UICollectionView, cell: @escaping (Object, IndexPath) -> UICollectionViewCell
        ) -> Self {
            let list = list
            source.numberOfSections = { list.numberOfSections }
            source.numberOfItems = { list.numberOfObjects(inSection: $0) }
            source.cell = { list.cell(at: $0) }
            source.index = { list.sectionIndex }
            // A view that is no longer told of changes must not ask for cells.
            if let boundView, boundView !== collectionView, boundView.dataSource === source {
                boundView.dataSource = nil
            }
            boundView = collectionView
            collectionView.dataSource = source
            // Another provider may become its data source, and knows nothing of this one's changes.
            let isBound = { [weak source] (view: UICollectionView) in source.map { view.dataSource === $0 } ?? false }
            list.bind(collectionView, while: isBound, cell: cell)
            return self
        }

        /// Shows the objects of a query. Another call shows those of another one.
        ///
        /// - Throws: The errors of ``MainContext/fetchedResults(_:_:orderBy:sectionBy:options:)``. What was shown stays.
        public func load(
            _ query: Query? = nil, orderBy: OrderBy, sectionBy: QueryKey? = nil, options: QueryOptions? = nil
        ) throws {
            try list.load(query, orderBy: orderBy, sectionBy: sectionBy, options: options)
        }

        /// Shows the objects of a query, in the manual's spelling.
        ///
        /// - Throws: The errors of ``load(_:orderBy:sectionBy:options:)``.
        public func query(
            _ query: Query? = nil, orderBy: OrderBy, sectionBy: QueryKey? = nil, options: QueryOptions? = nil
        ) throws {
            try list.load(query, orderBy: orderBy, sectionBy: sectionBy, options: options)
        }
    }

    extension UICollectionView: CollectionListView {}

    /// **Confined**, to the main actor. A collection view's data source. A class of its own, because methods of generic
    /// classes are not visible to Objective-C in all cases.
    private final class CollectionDataSource: NSObject, UICollectionViewDataSource {
        var numberOfSections: () -> Int = { 0 }
        var numberOfItems: (Int) -> Int = { _ in 0 }
        var cell: (IndexPath) -> UICollectionViewCell? = { _ in nil }
        var index: () -> SectionIndex? = { nil }
        var supplementaryView: ((String, IndexPath) -> UICollectionReusableView)?
        /// Collection views refuse views that they have not made themselves.
        private static let empty = "DataMonk.empty"

        func numberOfSections(in collectionView: UICollectionView) -> Int { numberOfSections() }

        func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
            numberOfItems(section)
        }

        func collectionView(
            _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
        ) -> UICollectionViewCell {
            if let cell = cell(indexPath) { return cell }
            collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: Self.empty)
            return collectionView.dequeueReusableCell(withReuseIdentifier: Self.empty, for: indexPath)
        }

        func collectionView(
            _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
        ) -> UICollectionReusableView {
            if let view = supplementaryView?(kind, indexPath) { return view }
            collectionView.register(
                UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: Self.empty)
            return collectionView.dequeueReusableSupplementaryView(
                ofKind: kind, withReuseIdentifier: Self.empty, for: indexPath)
        }

        func indexTitles(for collectionView: UICollectionView) -> [String]? { index()?.titles }

        func collectionView(
            _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
        ) -> IndexPath {
            [self.index()?.section(at: index) ?? 0, 0]
        }
    }
#endif
