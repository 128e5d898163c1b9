package import DataMonkCore
package import Foundation

/// **Shared.** A store that fails where a test requests it, and otherwise forwards to another store.
///
///     let store = FaultInjectingStore(InMemoryStore(directory: directory, index: 0))
///     store.fail(.commit)                         // the next commit throws; those after it do not
package final class FaultInjectingStore: PersistentStore {
    /// **Value.** An operation in which a store can fail.
    package enum Place: Hashable, Sendable {
        /// Opening a reader.
        case openReader
        /// Reading one or more rows.
        case read
        /// Beginning a transaction.
        case begin
        /// Reserving primary keys; the transaction stays open.
        case reserve
        /// Writing changes; the transaction stays open.
        case write
        /// After all changes have been written; the transaction stays open.
        case written
        /// Reading the stored form of the changes; the transaction stays open.
        case readBack
        /// Committing a transaction, which is rolled back.
        case commit
        /// Looking for other processes' commits.
        case look
        /// Closing the store, which is closed.
        case close
        /// Answering that a transaction was committed, which it is.
        case answer

        /// The operations of every save that writes a row.
        package static let ofSaves: [Place] = [.begin, .write, .written, .readBack, .commit]
    }

    /// The store that reads and writes.
    package var behind: any PersistentStore { store }
    private let store: any PersistentStore
    private let failures = Locked<[Place: StoreError]>([:])
    private let reads = Locked(Reads())

    /// **Value.** The reads so far, the one to fail, and the one to disturb.
    private struct Reads: Sendable {
        var count = 0
        var failing: (number: Int, error: StoreError)?
        var disturbed: (number: Int, disturbance: @Sendable (Bool) -> Void)?
    }
    private let conflicts = Locked<[StoredVersion]>([])

    package init(_ store: any PersistentStore) { self.store = store }

    package var identifier: UUID { store.identifier }
    package var configuration: String? { store.configuration }
    package var url: URL? { store.url }
    package var isReadOnly: Bool { store.isReadOnly }
    package func checkpoint() throws { try store.checkpoint() }

    /// Makes the next call of an operation throw.
    package func fail(
        _ place: Place, with error: StoreError = StoreError(.readFailed, "This failure was injected by a test.")
    ) {
        failures.withLock { $0[place] = error }
    }

    /// The number of times a reader was opened or asked for rows since this was last set.
    package var readCount: Int {
        get { reads.withLock { $0.count } }
        set { reads.withLock { $0.count = newValue } }
    }

    /// Makes a read throw, once: the one that begins when `readCount` is `number`.
    package func failRead(_ number: Int, with error: StoreError) {
        reads.withLock { $0.failing = (number, error) }
    }

    /// Calls the closure before and after the read with a number (that many reads come before it), with `true` and `false`.
    package func disturbRead(_ number: Int, by disturbance: @escaping @Sendable (Bool) -> Void) {
        reads.withLock { $0.disturbed = (number, disturbance) }
    }

    /// Makes every write of changes report the given conflicts, until they are set to none.
    package func report(_ conflicting: [StoredVersion]) { conflicts.withLock { $0 = conflicting } }

    fileprivate var reportedConflicts: [StoredVersion] { conflicts.withLock { $0 } }

    /// Ends all failures.
    package func heal() {
        failures.withLock { $0 = [:] }
        reads.withLock {
            $0.failing = nil
            $0.disturbed = nil
        }
    }

    package func openReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
        try reading(.openReader) { FaultInjectingReader(try store.openReader(until: deadline), of: self) }
    }

    package func beginTransaction() throws -> any StoreTransaction {
        try beginTransaction(for: nil, lockingUntil: nil)
    }

    package func beginTransaction(
        for changes: ChangeSet?, lockingUntil deadline: ContinuousClock.Instant?
    ) throws -> any StoreTransaction {
        try throwIfAsked(.begin)
        return FaultInjectingTransaction(try store.beginTransaction(for: changes, lockingUntil: deadline), of: self)
    }

    package var landingTime: Duration { store.landingTime }
    package var contentionTime: Duration? { store.contentionTime }

    package func observeForeignCommits(_ observer: @escaping ForeignCommitObserver) {
        store.observeForeignCommits(observer)
    }

    package func watchForeignCommits(_ block: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        store.watchForeignCommits(block)
    }

    package func lookForForeignCommits() throws -> ForeignCommitStatus {
        try throwIfAsked(.look)
        return try store.lookForForeignCommits()
    }

    package func metadata() throws -> [String: ManagedValue] { try store.metadata() }

    package func close() throws {
        try store.close()
        try throwIfAsked(.close)
    }

    /// Reads, if the read is not to fail.
    fileprivate func reading<Result>(_ place: Place = .read, body: () throws -> Result) throws -> Result {
        let disturbance = try countRead()
        try throwIfAsked(place)
        disturbance?(true)
        defer { disturbance?(false) }
        return try body()
    }

    fileprivate func throwIfAsked(_ place: Place) throws {
        if let error = failures.withLock({ $0.removeValue(forKey: place) }) { throw error }
    }

    private func countRead() throws -> (@Sendable (Bool) -> Void)? {
        let (error, disturbance) = reads.withLock { reads -> (StoreError?, (@Sendable (Bool) -> Void)?) in
            let number = reads.count
            reads.count += 1
            guard let failing = reads.failing, failing.number == number else {
                guard let disturbed = reads.disturbed, disturbed.number == number else { return (nil, nil) }
                reads.disturbed = nil
                return (nil, disturbed.disturbance)
            }
            reads.failing = nil
            return (failing.error, nil)
        }
        if let error { throw error }
        return disturbance
    }
}

/// **Confined.** A reader that fails where its store requests it.
private final class FaultInjectingReader: StoreReader {
    private let reader: any StoreReader
    private let store: FaultInjectingStore

    init(_ reader: any StoreReader, of store: FaultInjectingStore) {
        self.reader = reader
        self.store = store
    }

    func fetch(_ fetch: ResolvedFetch, into sink: some RowSink) throws {
        try store.reading { try reader.fetch(fetch, into: sink) }
    }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        try store.reading { try reader.keys(fetch) }
    }

    func count(_ fetch: ResolvedFetch) throws -> Int {
        try store.reading { try reader.count(fetch) }
    }

    func values(_ fetch: ResolvedFetch) throws -> ValueRows {
        try store.reading { try reader.values(fetch) }
    }

    func plan(of fetch: ResolvedFetch, showsValues: Bool) throws -> FetchPlan {
        try reader.plan(of: fetch, showsValues: showsValues)
    }

    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? {
        try store.reading { try reader.row(of: key, in: &arena) }
    }

    func rows(of keys: [ObjectKey], into sink: some RowSink) throws {
        try store.reading { try reader.rows(of: keys, into: sink) }
    }

    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) throws {
        try store.reading { try reader.destinations(of: relationship, from: key, into: sink) }
    }

    func destinations(of relationship: Entity.Relationship, from keys: [ObjectKey], into sink: some RowSink) throws {
        try store.reading { try reader.destinations(of: relationship, from: keys, into: sink) }
    }

    func version(of key: ObjectKey) throws -> Int64? { try reader.version(of: key) }
    func lastPrimaryKey(of entity: Entity) throws -> Int64 { try reader.lastPrimaryKey(of: entity) }
    func primaryKeyLimit(of entity: Entity) throws -> Int64 { try reader.primaryKeyLimit(of: entity) }
    func keepsHistory() throws -> Bool { try reader.keepsHistory() }

    func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]? {
        try store.reading { try reader.history(after: bound, includingChanges: includingChanges) }
    }

    func lastHistoryPosition() throws -> HistoryPosition? { try reader.lastHistoryPosition() }
    func tellForeignCommits() throws -> ForeignCommitStatus { try reader.tellForeignCommits() }
    var isStanding: Bool { reader.isStanding }
    var canBeLost: Bool { reader.canBeLost }
    var owner: (any ReaderOwner)? {
        get { reader.owner }
        set { reader.owner = newValue }
    }
    var deadline: ContinuousClock.Instant? {
        get { reader.deadline }
        set { reader.deadline = newValue }
    }
    var isLast: Bool { reader.isLast }
    func end() { reader.end() }
}

/// **Confined.** A transaction that fails where its store requests it.
private final class FaultInjectingTransaction: StoreTransaction {
    private let transaction: any StoreTransaction
    private let store: FaultInjectingStore
    private(set) var isOutcomeUnknown = false

    init(_ transaction: any StoreTransaction, of store: FaultInjectingStore) {
        self.transaction = transaction
        self.store = store
    }

    var isStanding: Bool { transaction.isStanding }
    var sawForeignChanges: Bool { transaction.sawForeignChanges }
    var excludesOthers: Bool { transaction.excludesOthers }
    var isBehindOthers: Bool { transaction.isBehindOthers }
    var mayRepeatVersions: Bool { transaction.mayRepeatVersions }
    func beginSavepoint() throws { try transaction.beginSavepoint() }
    func releaseSavepoint() throws { try transaction.releaseSavepoint() }
    func rollBackToSavepoint() throws { try transaction.rollBackToSavepoint() }

    func reservePrimaryKeys(_ count: Int, for entity: Entity) throws -> Int64 {
        try store.throwIfAsked(.reserve)
        return try transaction.reservePrimaryKeys(count, for: entity)
    }

    func beginHistoryTransaction(_ signature: HistorySignature?) { transaction.beginHistoryTransaction(signature) }

    func deleteHistory(before bound: HistoryBound) throws -> Int {
        try store.throwIfAsked(.write)
        return try transaction.deleteHistory(before: bound)
    }

    func stored(_ key: ObjectKey) throws -> StoredVersion {
        try store.throwIfAsked(.read)
        return try transaction.stored(key)
    }

    func stored(_ keys: [ObjectKey]) throws -> [StoredVersion] {
        try store.throwIfAsked(.read)
        return try transaction.stored(keys)
    }

    func lockRows(of changes: ChangeSet) throws -> [ObjectKey: Int64] { try transaction.lockRows(of: changes) }

    func write(_ changes: ChangeSet) throws -> [StoredVersion] {
        try store.throwIfAsked(.write)
        let stored = try transaction.write(changes) + store.reportedConflicts
        try store.throwIfAsked(.written)
        return stored
    }

    func setMetadata(_ metadata: [String: ManagedValue]) throws { try transaction.setMetadata(metadata) }

    func rowsAsStored(after changes: ChangeSet) throws -> [StoredVersion] {
        try store.throwIfAsked(.readBack)
        return try transaction.rowsAsStored(after: changes)
    }

    func sendWrites() throws { try transaction.sendWrites() }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        try store.reading { try transaction.keys(fetch) }
    }

    func present(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        try store.reading { try transaction.present(keys) }
    }

    func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) throws -> [ObjectKey] {
        try store.reading { try transaction.destinationKeys(of: relationship, from: keys) }
    }

    func links(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [StoredLink] {
        try store.reading { try transaction.links(of: relationship, from: owners) }
    }

    func update(
        _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws -> [BatchChanges.Written] {
        try store.throwIfAsked(.write)
        return try transaction.update(update, check: check)
    }

    func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written] {
        try store.throwIfAsked(.write)
        return try transaction.clear(relationship, of: keys)
    }

    func delete(_ keys: [ObjectKey]) throws {
        try store.throwIfAsked(.write)
        try transaction.delete(keys)
    }

    func commit() throws {
        try store.throwIfAsked(.commit)
        try transaction.commit()
        isOutcomeUnknown = true
        try store.throwIfAsked(.answer)
        isOutcomeUnknown = false
    }

    func rollBack() { transaction.rollBack() }
    func end() { transaction.end() }
}

@available(*, unavailable)
extension FaultInjectingReader: Sendable {}

@available(*, unavailable)
extension FaultInjectingTransaction: Sendable {}
