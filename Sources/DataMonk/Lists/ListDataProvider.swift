public import DataMonkCore
public import Foundation

/// **Shared**, on the main actor. The contents of a view that shows a list: the objects of a query in order and in sections,
/// which follow the store, and the view's cells.
///
///     let people = ListDataProvider<Person, Cell>(context: World).bind(table, animation: .automatic) { person, indexPath in
///         Cell(title: person.name)
///     }
///     try people.load(orderBy: .Ascending("city") | .Ascending("name"), sectionBy: %"city")
///
/// The view's data source asks the provider for numbers, cells and titles. When the objects change, the provider tells the
/// view which rows to insert, delete, move and reload; the numbers change inside the view's batch alone. On Apple's
/// platforms, ``TableViewDataProvider`` and ``CollectionViewDataProvider`` are providers that are data sources themselves.
///
/// A provider holds its view weakly, and the objects it shows strongly.
@preconcurrency @MainActor
public final class ListDataProvider<Object: ManagedObject, Cell> {
    /// The context of the objects.
    public let context: MainContext
    /// The list that is shown, or `nil` before the first ``load(_:orderBy:sectionBy:options:)``.
    public private(set) var results: FetchedResults<Object>?
    private var observations: [ContextObservation] = []
    private var view: BoundView?
    private var cell: ((Object, IndexPath) -> Cell)?
    /// Indicates whether the view knows the numbers from before the next change.
    private var isPrepared = false
    /// The sections after ``objectFilter``; `nil` without one.
    private var filtered: [(name: String, objects: [Object])]?
    /// The values that were shown or filtered and could not be read: each once, a hundred at most.
    private var unread: [FailedAccess] = []
    /// Shows everything again once one of them can be read; `nil` if there are none.
    private var catchUp: ContextObservation?

    /// Called after each change of what is shown: after a load, and after the view has followed a change.
    public var onDataChanged: (() -> Void)?
    /// Returns the title of a section, by its name and index; by default, its name.
    public var onGetSectionTitle: ((String, Int) -> String?)?
    /// Returns the title that leads to a section along the list's edge, by the section's name. Without it, there is no
    /// such index.
    public var onGetIndexTitle: ((String) -> String?)?
    /// Returns `true` if the user may delete an object's cell; without it, none.
    public var onCanDeleteCell: ((Object, IndexPath) -> Bool)?

    /// Rearranges the objects of all sections: leaves some out, joins or reorders sections.
    ///
    ///     people.objectFilter = { sections in sections.map { $0.filter { $0.name.contains(text) } }.filter { !$0.isEmpty } }
    ///
    /// A section is named after the section that its first object comes from, and an empty one after the section in its place
    /// if there are as many as before. With such a filter, each change reloads the view as a whole. For a condition on single
    /// objects, ``FetchedResults/filter(_:)`` of ``results`` does without that. Both stay in force when another query is
    /// loaded.
    ///
    /// If it reads a value that cannot be read, which is reported, it is applied again once the value can be read.
    public var objectFilter: (([[Object]]) -> [[Object]])? {
        didSet { filter() }
    }

    /// Creates a provider without contents.
    public init(context: MainContext) {
        self.context = context
    }

    // On the main actor, because the objects are released there.
    isolated deinit {}

    // MARK: Loading

    /// Shows the objects of a query. Another call shows those of another one, if they meet the condition that
    /// ``FetchedResults/filter(_:)`` of ``results`` has set.
    ///
    /// - Throws: The errors of ``MainContext/fetchedResults(_:_:orderBy:sectionBy:options:)``. What was shown stays.
    /// - Complexity: One SELECT, and one for each to-one relationship in the order's key paths.
    public func load(
        _ query: Query? = nil, orderBy: OrderBy, sectionBy: QueryKey? = nil, options: QueryOptions? = nil
    ) throws {
        try show(
            context.fetchedResults(
                query, orderBy: orderBy, sectionBy: sectionBy, options: options, isIncluded: results?.isIncluded))
    }

    /// Shows the objects of a query, in the manual's spelling.
    ///
    /// - Throws: The errors of ``load(_:orderBy:sectionBy:options:)``.
    public func query(
        _ query: Query? = nil, orderBy: OrderBy, sectionBy: QueryKey? = nil, options: QueryOptions? = nil
    ) throws {
        try load(query, orderBy: orderBy, sectionBy: sectionBy, options: options)
    }

    /// Shows a list, such as one of a typed query.
    public func show(_ results: FetchedResults<Object>) {
        self.results = results
        observations = [
            results.observeUpcomingChanges { [weak self] in self?.prepare() },
            results.observeChanges { [weak self] in self?.follow($0) },
        ]
        filter()
    }

    /// Fetches again, and shows the difference. In contexts that do not follow commits, ``MainContext/refreshAll()`` reads
    /// the objects again and updates lists.
    ///
    /// - Throws: The errors of a fetch. What was shown stays, except after ``FetchError`` with the code
    ///   `inconsistentSections`: then the list is empty until the data keep its sections together again.
    public func reload() throws { try results?.reload() }

    /// Applies ``objectFilter`` again, after something else that it depends on has changed.
    public func filter() {
        (isPrepared, unread, catchUp) = (false, [], nil)
        arrange()
        view?.reload()
        onDataChanged?()
    }

    // MARK: The view

    /// Binds a view with rows, which is told of each change from now on.
    ///
    /// - Parameters:
    ///   - animation: The way in which the view shows rows that come and go.
    ///   - isBound: Returns `false` when the view must not be told of changes any more, such as after something else has
    ///     become its data source.
    ///   - cell: Returns the cell of an object.
    @discardableResult
    public func bind<View: TableListView>(
        _ view: View, animation: View.RowAnimation, while isBound: @escaping (View) -> Bool = { _ in true },
        cell: @escaping (Object, IndexPath) -> Cell
    ) -> Self {
        let bound = { [weak view] in view.flatMap { isBound($0) ? $0 : nil } }
        return bind(
            BoundView(
                prepare: { _ = bound()?.numberOfSections }, apply: { bound()?.apply($0, with: animation) },
                reload: { bound()?.reloadData() }), cell)
    }

    /// Binds a view with items, which is told of each change from now on.
    ///
    /// - Parameters:
    ///   - isBound: Returns `false` when the view must not be told of changes any more.
    ///   - cell: Returns the cell of an object.
    @discardableResult
    public func bind<View: CollectionListView>(
        _ view: View, while isBound: @escaping (View) -> Bool = { _ in true },
        cell: @escaping (Object, IndexPath) -> Cell
    ) -> Self {
        let bound = { [weak view] in view.flatMap { isBound($0) ? $0 : nil } }
        return bind(
            BoundView(
                prepare: { _ = bound()?.numberOfSections }, apply: { bound()?.apply($0) },
                reload: { bound()?.reloadData() }), cell)
    }

    /// The ways in which a provider changes a view of either kind.
    private struct BoundView {
        /// Lets a view that was never drawn ask for its numbers, before they change.
        let prepare: () -> Void
        let apply: (ListUpdate) -> Void
        let reload: () -> Void
    }

    private func bind(_ view: BoundView, _ cell: @escaping (Object, IndexPath) -> Cell) -> Self {
        (self.view, self.cell, isPrepared) = (view, cell, false)
        view.reload()
        return self
    }

    private func prepare() {
        view?.prepare()
        isPrepared = true
    }

    private func follow(_ changes: FetchedResultsChanges) {
        // Somebody who heard of the change first may have made the view ask for its numbers anew.
        let canApply = isPrepared && !changes.requiresFetch && objectFilter == nil
        isPrepared = false
        if !canApply { return filter() }
        view?.apply(ListUpdate(changes))
        onDataChanged?()
    }

    private func arrange() {
        guard let objectFilter, let results else {
            filtered = nil
            return
        }
        let sections = results.sections
        let arranged = showing { objectFilter(sections.map(\.objects)) }
        filtered = arranged.enumerated().map { index, objects in
            let place = arranged.count == sections.count ? index : nil
            let section = objects.first.map { results.indexPath(for: $0)?[0] } ?? place
            return (section.map { sections[$0].name } ?? "", objects)
        }
    }

    /// Calls a body that computes what is shown. If a value cannot be read, everything is shown again later.
    private func showing<Shown>(_ body: () -> Shown) -> Shown {
        let (result, failures) = graph.showing(body)
        if failures.isEmpty { return result }
        for failure in failures where unread.count < 100 {
            // A cell may be drawn again and again meanwhile.
            let isKnown = unread.contains {
                $0.objectID == failure.objectID && $0.propertyName == failure.propertyName
            }
            if !isKnown { unread.append(failure) }
        }
        if catchUp == nil { catchUp = graph.observeCatchUps { [weak self] in self?.tryAgain() } }
        graph.requestCatchUp()
        return result
    }

    /// The context of the objects that are shown.
    private var graph: ManagedObjectContext { (results?.context ?? context).graph }

    /// Shows everything again if a value can be read that could not be. Else the view would be reloaded in vain.
    private func tryAgain() {
        if unread.contains(where: graph.canRead) { filter() } else { graph.requestCatchUp() }
    }

    // MARK: What the data source answers

    /// The number of sections: 0 before the first load.
    public var numberOfSections: Int { filtered?.count ?? results?.numberOfSections ?? 0 }

    /// Returns the number of objects in a section: 0 for a section that does not exist.
    public func numberOfObjects(inSection section: Int) -> Int {
        if let filtered { return filtered.indices.contains(section) ? filtered[section].objects.count : 0 }
        return results?.sectionIfPresent(at: section)?.count ?? 0
    }

    /// Returns the object at an index path, or `nil` if there is none.
    public func object(at indexPath: IndexPath) -> Object? {
        guard let filtered else { return results?.objectIfPresent(at: indexPath) }
        guard indexPath.count == 2, filtered.indices.contains(indexPath[0]),
            filtered[indexPath[0]].objects.indices.contains(indexPath[1])
        else { return nil }
        return filtered[indexPath[0]].objects[indexPath[1]]
    }

    /// Returns the index path of an object, or `nil` if it is not shown.
    ///
    /// - Complexity: Logarithmic; linear with an ``objectFilter``.
    public func indexPath(for object: Object) -> IndexPath? {
        guard let filtered else { return results?.indexPath(for: object) }
        for (section, contents) in filtered.enumerated() {
            if let item = contents.objects.firstIndex(of: object) { return [section, item] }
        }
        return nil
    }

    /// Returns the cell at an index path, or `nil` if there is no object or no view is bound.
    ///
    /// If a value that the cell shows cannot be read, it is empty there, and the view reloads once it can be read.
    public func cell(at indexPath: IndexPath) -> Cell? {
        guard let object = object(at: indexPath), let cell else { return nil }
        return showing { cell(object, indexPath) }
    }

    /// Returns the title of a section; `nil` for a list without sections, and for a section that does not exist.
    public func title(ofSection section: Int) -> String? {
        guard let name = name(ofSection: section) else { return nil }
        if let onGetSectionTitle { return onGetSectionTitle(name, section) }
        return results?.isSectioned == true ? name : nil
    }

    private func name(ofSection section: Int) -> String? {
        if let filtered { return filtered.indices.contains(section) ? filtered[section].name : nil }
        return results?.sectionIfPresent(at: section)?.name
    }

    /// The titles along the edge of the list, by ``onGetIndexTitle``; `nil` without it.
    ///
    /// - Complexity: Linear in the number of sections.
    public var sectionIndex: SectionIndex? {
        onGetIndexTitle.map { title in
            SectionIndex(names: (0..<numberOfSections).map { name(ofSection: $0) ?? "" }, title: title)
        }
    }

    /// Returns `true` if the user may delete the cell at an index path.
    public func canDelete(at indexPath: IndexPath) -> Bool {
        guard let onCanDeleteCell, let object = object(at: indexPath) else { return false }
        return onCanDeleteCell(object, indexPath)
    }
}
