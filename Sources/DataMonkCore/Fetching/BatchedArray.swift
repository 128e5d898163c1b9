/// **Confined.** The objects of a fetch, read so many at a time: for results that do not fit into memory, or of which a
/// little is looked at.
///
///     for person in try World.fetchBatched(Person.self, orderBy: .Ascending("name"), options: .Batch(100)) {
///         print(person.name)                          // one query for each hundred
///     }
///
/// It knows the ids of all its objects, 8 bytes each, and holds the objects of the few batches that were used last; those of
/// far ones go, if nobody else holds them, and are read again when they are asked for. What the array shows is settled when
/// it is made: objects that come later are missing, and one that is deleted meanwhile stays in its place, as a deleted
/// object without values.
///
/// A position is reached without reading those before it. It lives where its context lives, and keeps it.
///
/// Invariants:
/// 1. `pages` holds at most `pageLimit` batches, each once, the one used last at the end.
/// 2. The objects of a page are registered with the context, or the page is read again.
public final class BatchedArray<Element: ManagedObject>: RandomAccessCollection {
    private let context: ManagedObjectContext
    private let keys: [ObjectKey]
    private let prefetched: [[Entity.Relationship]]
    private var pages: [Page] = []
    /// How many objects are read at a time.
    public let batchSize: Int

    private struct Page {
        let number: Int
        let objects: [Element]
    }

    /// Neighbours on both sides of what is looked at, and one more.
    private static var pageLimit: Int { 4 }
    /// Without a batch size in the request.
    static var defaultBatchSize: Int { 100 }

    init(_ keys: [ObjectKey], _ fetch: ResolvedFetch, in context: ManagedObjectContext) {
        self.context = context
        self.keys = keys
        prefetched = fetch.prefetched
        batchSize = fetch.request.fetchBatchSize > 0 ? fetch.request.fetchBatchSize : Self.defaultBatchSize
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many objects there are.
    public var endIndex: Int { keys.count }

    /// The object at a position.
    ///
    /// If the store does not answer, the object is a fault, and the error goes to the stack's error handler.
    ///
    /// - Complexity: no query if it is in one of the last batches, else one, and one for each relationship to prefetch.
    public subscript(position: Int) -> Element {
        precondition(keys.indices.contains(position), "A position beyond the \(keys.count) objects of a fetch.")
        return page(position / batchSize).objects[position % batchSize]
    }

    /// The ids of all objects. Reads nothing.
    public var objectIDs: [ObjectID<Element>] {
        keys.map { ObjectID(AnyObjectID(key: context.identities.currentKey($0), directory: context.directory)) }
    }

    /// How many batches are in memory: for tests.
    package var pageCount: Int { pages.count }

    private func page(_ number: Int) -> Page {
        if let last = pages.last, last.number == number, isRegistered(last) { return last }
        var page: Page?
        if let place = pages.firstIndex(where: { $0.number == number }) {
            let known = pages.remove(at: place)
            if isRegistered(known) { page = known }
        }
        let used = page ?? read(number)
        if pages.count == Self.pageLimit { pages.removeFirst() }
        pages.append(used)
        return used
    }

    /// Not after a reset of the context, which forgets all objects.
    private func isRegistered(_ page: Page) -> Bool { page.objects.first.map { $0.registration >= 0 } ?? true }

    private func read(_ number: Int) -> Page {
        let start = number * batchSize
        let objects = context.readPage(keys[start..<Swift.min(start + batchSize, keys.count)], prefetching: prefetched)
        return Page(
            number: number,
            objects: objects.map { object in
                guard let element = object as? Element else {
                    preconditionFailure("An object of \(object.entity.name) is no \(Element.self).")
                }
                return element
            })
    }
}

@available(*, unavailable)
extension BatchedArray: Sendable {}

extension ManagedObjectContext {
    /// Runs a fetch for its ids, and reads the objects when they are asked for, so many at a time as ``FetchRequest`` says,
    /// 100 if it says nothing.
    ///
    /// Unsaved changes take part in what is found and in its order. The objects come whole and, of the request's
    /// relationships, prefetched.
    ///
    /// - Throws: ``FetchError`` for a request that means nothing; ``StoreError`` if a store fails.
    /// - Complexity: one query for the ids; see ``BatchedArray``.
    public func fetchBatched(_ request: FetchRequest) throws -> BatchedArray<ManagedObject> {
        try fetchBatched(request, of: ManagedObject.self)
    }

    /// As above, for objects of a class.
    ///
    /// - Throws: as above; ``FetchError`` if the entity's objects are of another class.
    package func fetchBatched<Object: ManagedObject>(
        _ request: FetchRequest, of type: Object.Type
    ) throws -> BatchedArray<Object> {
        let fetch = try resolve(request)
        let objectClass = directory.layouts[fetch.entity.index].objectClass
        guard objectClass is Object.Type else { throw FetchError.wrongClass(type, fetch.entity) }
        beginCall()
        defer { endCall() }
        try advance(for: fetch)
        return BatchedArray(try keys(fetch), fetch, in: self)
    }

    /// The objects of one batch, read with one query for each table. They are a cohort.
    fileprivate func readPage(
        _ keys: ArraySlice<ObjectKey>, prefetching paths: [[Entity.Relationship]]
    ) -> [ManagedObject] {
        requireOwner()
        beginCall()
        defer { endCall() }
        let objects = faults(of: Array(keys), together: .max)
        do {
            try loadRows(of: objects.map(\.key))
            try prefetch(paths, of: objects.filter { !$0.isFault })
        } catch {
            coordinator.report(error)
        }
        return objects
    }
}
