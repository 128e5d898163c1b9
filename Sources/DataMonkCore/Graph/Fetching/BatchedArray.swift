/// **Confined.** The objects of a fetch, read in batches, for results that do not fit in memory or are only partly used.
///
///     for person in try World.fetchBatched(Person.self, orderBy: .Ascending("name"), options: .Batch(100)) {
///         print(person.name)                          // one query for each hundred
///     }
///
/// The array knows the ids of all its objects, 8 bytes each, and holds the objects of the few batches used last. Objects of
/// other batches are released, unless someone else holds them, and are read again when needed. The contents of the array
/// are fixed when it is created: objects inserted later are missing, and an object that is deleted meanwhile keeps its
/// position, as a deleted object without values.
///
/// A position is reached without reading the positions before it. The array shares its context's isolation and retains the
/// context.
public final class BatchedArray<Element: ManagedObject>: RandomAccessCollection {
    private let pages: ObjectPages

    init(_ keys: [ObjectKey], of fetch: ResolvedFetch, in context: ManagedObjectContext) {
        pages = ObjectPages(keys, of: fetch, in: context)
    }

    private init(_ pages: ObjectPages) { self.pages = pages }

    /// Returns the objects in the order in which a store reads those of one hierarchy. So the rows that
    /// ``part(from:byteLimit:)`` reads are those of its first objects.
    func inOrderOfReading() -> BatchedArray { BatchedArray(pages.inOrderOfReading()) }

    /// The number of objects read at a time.
    public var batchSize: Int { pages.size }

    /// The position of the first object, 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { pages.keys.count }

    /// Returns the object at a position.
    ///
    /// If the store fails, the object is a fault, and the error is passed to the stack's error handler.
    ///
    /// - Complexity: No query if the object is in one of the last batches; otherwise one, and one for each relationship to
    ///   prefetch.
    public subscript(position: Int) -> Element { element(pages.object(at: position)) }

    /// The ids of all objects, without reading them.
    public var objectIDs: [ObjectID<Element>] { pages.objectIDs.map { ObjectID($0) } }

    /// The number of batches in memory, for tests.
    package var pageCount: Int { pages.count }

    /// Returns the objects from a position on: those of a batch, or fewer, as soon as their rows have a number of bytes. An
    /// object whose row is gone or damaged is a fault. In another order than ``inOrderOfReading()``, rows are read that are
    /// not of the part.
    ///
    /// - Returns: At least one object, which the array does not hold.
    func part(from position: Int, byteLimit: Int) throws -> [Element] {
        try pages.part(from: position, byteLimit: byteLimit).map(element)
    }

    private func element(_ object: ManagedObject) -> Element {
        guard let element = object as? Element else {
            stopProgram("An object of \(object.entity.name) is not an instance of \(Element.self).")
        }
        return element
    }
}

@available(*, unavailable)
extension BatchedArray: Sendable {}

/// **Confined.** The batches of a ``BatchedArray``. Not generic: an array of an application's class would look up types for each
/// object.
///
/// Invariants:
/// 1. `pages` holds at most `pageLimit` batches, each once, most recently used last.
/// 2. The objects of a page are registered with the context, or the page is read again.
private final class ObjectPages {
    let context: ManagedObjectContext
    let keys: [ObjectKey]
    /// The number of objects of a page.
    let size: Int
    private let prefetched: [[Entity.Relationship]]
    private var pages: [Page] = []

    private struct Page {
        let number: Int
        let objects: [ManagedObject]

        /// `false` after a reset of the context, which forgets all objects.
        var isRegistered: Bool { objects.isEmpty || objects[0].registration >= 0 }
    }

    /// Room for the current batch, its neighbours on both sides, and one more.
    private static let pageLimit = 4
    /// The batch size if the request does not specify one.
    private static let defaultSize = 100

    init(_ keys: [ObjectKey], of fetch: ResolvedFetch, in context: ManagedObjectContext) {
        self.context = context
        self.keys = keys
        prefetched = fetch.prefetched
        size = fetch.request.fetchBatchSize > 0 ? fetch.request.fetchBatchSize : Self.defaultSize
    }

    private init(_ keys: [ObjectKey], like other: ObjectPages) {
        self.keys = keys
        (context, prefetched, size) = (other.context, other.prefetched, other.size)
    }

    func inOrderOfReading() -> ObjectPages {
        ObjectPages(
            keys.sorted { ($0.storeIndex, $0.primaryKey) < ($1.storeIndex, $1.primaryKey) }, like: self)
    }

    var objectIDs: [AnyObjectID] {
        keys.map { AnyObjectID(key: context.identities.currentKey($0), directory: context.directory) }
    }

    /// The number of pages in memory.
    var count: Int { pages.count }

    func object(at position: Int) -> ManagedObject {
        guard keys.indices.contains(position) else {
            stopProgram("Index out of range: the fetch returned \(keys.count) objects.")
        }
        let (number, place) = position.quotientAndRemainder(dividingBy: size)
        if let last = pages.last, last.number == number, last.isRegistered { return last.objects[place] }
        return page(number).objects[place]
    }

    private func page(_ number: Int) -> Page {
        var page: Page?
        if let place = pages.firstIndex(where: { $0.number == number }) {
            let known = pages.remove(at: place)
            if known.isRegistered { page = known }
        }
        let used = page ?? read(number)
        if pages.count == Self.pageLimit { pages.removeFirst() }
        pages.append(used)
        return used
    }

    private func read(_ number: Int) -> Page {
        Page(number: number, objects: context.readPage(batch(from: number * size), prefetching: prefetched))
    }

    func part(from position: Int, byteLimit: Int) throws -> ArraySlice<ManagedObject> {
        try context.readPart(batch(from: position), byteLimit: byteLimit)
    }

    private func batch(from position: Int) -> [ObjectKey] {
        Array(keys[position..<min(position + size, keys.count)])
    }
}

@available(*, unavailable)
extension ObjectPages: Sendable {}

extension ManagedObjectContext {
    /// Fetches ids, and reads the objects in batches when they are accessed. The batch size is that of the
    /// ``FetchRequest``, or 100 if it has none.
    ///
    /// Unsaved changes affect the results and their order. Objects are loaded with all their values, and the request's
    /// relationships are prefetched.
    ///
    /// - Throws: ``FetchError`` for an invalid request; ``StoreError`` if a store fails.
    /// - Complexity: One query for the ids; see ``BatchedArray``.
    public func fetchBatched(_ request: FetchRequest) throws -> BatchedArray<ManagedObject> {
        try fetchBatched(request, of: ManagedObject.self)
    }

    /// Fetches objects of a class in batches, like ``fetchBatched(_:)``.
    ///
    /// - Throws: The same errors, and ``FetchError`` if the entity's objects are of another class.
    package func fetchBatched<Object: ManagedObject>(
        _ request: FetchRequest, of type: Object.Type
    ) throws -> BatchedArray<Object> {
        var fetch = try resolve(request)
        let objectClass = directory.layouts[fetch.entity.index].objectClass
        guard objectClass is Object.Type else { throw FetchError.wrongClass(type, of: fetch.entity) }
        // As in `fetch`: the objects may be there already, so that no page is read.
        root.readRegion?.add(fetch.entity)
        beginCall()
        defer { endCall() }
        try advance(for: &fetch)
        return BatchedArray(try keys(fetch), of: fetch, in: self)
    }

    /// Returns the objects of one batch, read with one query for each table. They form a cohort.
    fileprivate func readPage(
        _ keys: [ObjectKey], prefetching paths: [[Entity.Relationship]]
    ) -> [ManagedObject] {
        requireOwner()
        sweepFamilyIfDue()
        faults.beginInOneState()
        defer { endCall() }
        let keys = keys.map(identities.currentKey)
        do {
            // Before the objects, so that those that are new have their rows at once.
            try faults.loadRows(of: keys)
            let objects = faults(of: keys, together: .max)
            if !paths.isEmpty { try faults.prefetch(paths, of: objects.filter { !$0.isFault }) }
            return objects
        } catch {
            coordinator.report(error)
        }
        return faults(of: keys, together: .max)
    }

    /// Returns the objects of the first keys, read with one query for each table. They form a cohort.
    fileprivate func readPart(_ keys: [ObjectKey], byteLimit: Int) throws -> ArraySlice<ManagedObject> {
        requireOwner()
        sweepFamilyIfDue()
        faults.beginInOneState()
        defer { endCall() }
        let objects = faults(of: keys, together: .max)
        let left = try faults.loadRows(of: objects.map(\.key), byteLimit: byteLimit)
        // The others are released, so that no read of these objects takes them along.
        return objects.prefix { !left.contains($0.key) || $0 === objects.first }
    }
}
