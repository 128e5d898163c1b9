#if canImport(UIKit) && !os(watchOS)
    public import DataMonkCore
    public import UIKit

    /// **Shared**, on the main actor. The contents of a table view: the objects of a query, which follow the store.
    ///
    ///     dataProvider = TableViewDataProvider<Person>(context: World).bind(tableView) { person, indexPath in
    ///         let cell = tableView.dequeueReusableCell(withIdentifier: "Cell", for: indexPath)
    ///         cell.textLabel?.text = person.name
    ///         return cell
    ///     }
    ///     try dataProvider.query(orderBy: .Ascending("name"))
    ///
    /// It is the table's data source; ``list`` has everything else that can be set and asked.
    @preconcurrency @MainActor
    public final class TableViewDataProvider<Object: ManagedObject> {
        /// The provider that this one shows in a table.
        public let list: ListDataProvider<Object, UITableViewCell>
        private let source = TableDataSource()
        private weak var boundView: UITableView?
        /// Called after the user has confirmed the deletion of an object's cell, which is the application's to carry out.
        public var onDeleteCell: ((Object, IndexPath) -> Void)?

        /// Creates a provider without contents.
        public init(context: MainContext) {
            list = ListDataProvider(context: context)
        }

        /// Becomes the data source of a table, which is told of each change from now on.
        @discardableResult
        public func bind(
            _ tableView: UITableView, animation: UITableView.RowAnimation = .automatic,
            cell: @escaping (Object, IndexPath) -> UITableViewCell
        ) -> Self {
            let list = list
            source.numberOfSections = { list.numberOfSections }
            source.numberOfRows = { list.numberOfObjects(inSection: $0) }
            source.cell = { list.cell(at: $0) }
            source.title = { list.title(ofSection: $0) }
            source.index = { list.sectionIndex }
            source.canDelete = { list.canDelete(at: $0) }
            source.delete = { [weak self] indexPath in
                if let object = list.object(at: indexPath) { self?.onDeleteCell?(object, indexPath) }
            }
            // A view that is no longer told of changes must not ask for cells.
            if let boundView, boundView !== tableView, boundView.dataSource === source { boundView.dataSource = nil }
            boundView = tableView
            tableView.dataSource = source
            // Another provider may become its data source, and knows nothing of this one's changes.
            let isBound = { [weak source] (view: UITableView) in source.map { view.dataSource === $0 } ?? false }
            list.bind(tableView, animation: animation, while: isBound, cell: cell)
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

    extension UITableView: TableListView {}

    /// **Confined**, to the main actor. A table's data source. A class of its own, because methods of generic classes are
    /// not visible to Objective-C in all cases.
    private final class TableDataSource: NSObject, UITableViewDataSource {
        var numberOfSections: () -> Int = { 0 }
        var numberOfRows: (Int) -> Int = { _ in 0 }
        var cell: (IndexPath) -> UITableViewCell? = { _ in nil }
        var title: (Int) -> String? = { _ in nil }
        var index: () -> SectionIndex? = { nil }
        var canDelete: (IndexPath) -> Bool = { _ in false }
        var delete: (IndexPath) -> Void = { _ in }

        func numberOfSections(in tableView: UITableView) -> Int { numberOfSections() }

        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { numberOfRows(section) }

        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            cell(indexPath) ?? UITableViewCell()
        }

        func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { title(section) }

        func sectionIndexTitles(for tableView: UITableView) -> [String]? { index()?.titles }

        func tableView(_ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int) -> Int {
            self.index()?.section(at: index) ?? 0
        }

        func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { canDelete(indexPath) }

        func tableView(
            _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
        ) {
            if editingStyle == .delete { delete(indexPath) }
        }
    }
#endif
