import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** A read transaction on a connection of the pool.
///
/// SQLite rolls it back if a statement gets no memory or no room, or if the disk fails. Each further statement would then read
/// what is committed by its time, so each further call throws the failure again, until another reader takes the place of this
/// one.
final class SQLiteReader: StoreReader {
    private let lease: ReaderLease
    let connection: SQLiteConnection
    let store: SQLiteStore
    // Unchecked exclusivity, here and below: the type is confined, and loading a row never calls back into the reader.
    @exclusivity(unchecked) private var loader: RowLoader
    /// Reads single rows of the most recently requested entity: bursts of faults are mostly of one entity.
    @exclusivity(unchecked) private var keyRead: KeyRead?
    /// The failure with which the transaction has ended.
    private var loss: StoreError?
    // Unowned: it holds its readers, and ends them before it goes.
    unowned var owner: (any ReaderOwner)?

    init(_ lease: ReaderLease, store: SQLiteStore) throws {
        self.lease = lease
        self.store = store
        connection = lease.connection
        loader = RowLoader(store: store)
        do {
            try store.files.checkFromTimeToTime()
            try lease.beginSnapshot()
        } catch {
            note(error)
            lease.end()
            throw error
        }
    }

    deinit {
        // First, because a statement released by its last reference would be finalized while the next owner uses the
        // connection.
        endKeyRead()
        loader.deallocate()
    }

    // MARK: Other processes

    func tellForeignCommits() throws -> ForeignCommitStatus {
        // Nothing at all was committed since this connection's last snapshot.
        if let count = connection.changeCount, count == connection.toldChangeCount { return .told }
        return try askWriter()
    }

    @inline(never)
    private func askWriter() throws -> ForeignCommitStatus {
        let answer = try translating { try store.desk.tellForeignCommits() }
        if answer.isLasting { connection.toldChangeCount = connection.changeCount }
        return answer.status
    }

    // MARK: Ending

    var isStanding: Bool { loss == nil }

    var isLast: Bool { lease.isLast }

    func end() {
        // A caller may still have the reader when another one has replaced it.
        owner = nil
        endKeyRead()
        lease.end()
    }

    // MARK: Fetches

    func fetch(_ fetch: ResolvedFetch, into sink: some RowSink) throws {
        let query = try store.plans.compiler.objects(fetch)
        switch query.result {
        case .objects(let plan):
            let plan = store.plans.loadPlan(of: fetch, plan)
            try run(query, of: fetch) { statement in
                try load(statement, plan: plan, into: sink, damaged: .reported)
            }
        case .keys:
            let keys = try limited(fetch) { try store.keys(query, on: connection, damaged: .reported) }
            for key in keys { sink.takeFault(key) }
        case .count, .values: preconditionFailure("A fetch of objects was compiled to another kind of query")
        }
    }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        let query = try store.plans.compiler.keys(fetch)
        return try limited(fetch) { try store.keys(query, on: connection, damaged: .reported) }
    }

    func count(_ fetch: ResolvedFetch) throws -> Int {
        let query = try store.plans.compiler.count(fetch)
        return try run(query, of: fetch) { statement in try statement.step() ? Int(statement.int64(at: 0)) : 0 }
    }

    func values(_ fetch: ResolvedFetch) throws -> ValueRows {
        if let members = try store.plans.compiler.members(fetch), let rows = try group(members, of: fetch) {
            return rows
        }
        let query = try store.plans.compiler.values(fetch)
        let columns = query.columns
        return try run(query, of: fetch) { statement in
            var rows = ValueRows(columnCount: columns.count)
            let cells = columns.map { (position: $0.position, plainForm: $0.plainForm) }
            // By its memory: the array would be retained for each of many rows.
            try cells.withUnsafeBufferPointer { cells in
                while try statement.step() {
                    for (index, cell) in cells.enumerated() {
                        if statement.appendPlainValue(at: cell.position, of: cell.plainForm, to: &rows) { continue }
                        rows.append(try value(of: statement, in: columns[index]))
                    }
                }
            }
            return rows
        }
    }

    /// The number of groups, the bytes of what they are grouped by, and the number of values that their aggregates keep, beyond
    /// which SQLite groups: it can use the disk.
    private static let maximumGroups = 10_000
    private static let maximumKeyBytes = 1 << 24
    private static let maximumValues = 1 << 22

    /// Returns the rows of a fetch, of whose objects `members` reads the values; `nil` if there are too many to be grouped in
    /// memory.
    func group(_ members: SQLQuery, of fetch: ResolvedFetch) throws -> ValueRows? {
        let columns = members.columns
        let (shown, keys) = (columns.prefix(fetch.selections.count), columns.suffix(fetch.groups.count))
        var groups = RowGroups(fetch)
        let operands = groups.aggregates.map { columns[$0] }
        return try run(members, of: fetch) { statement in
            var places: [GroupKey: Int] = [:]
            var key = GroupKey()
            var (keyBytes, valueCount) = (0, 0)
            while try statement.step() {
                key.removeAll()
                for column in keys { key.append(statement, at: column.position) }
                let place: Int
                if let known = places[key] {
                    place = known
                } else {
                    keyBytes += key.count
                    if groups.count == Self.maximumGroups || keyBytes > Self.maximumKeyBytes { return nil }
                    place = groups.begin(
                        columns: try shown.map { try value(of: statement, in: $0) },
                        groups: keys.map { statement.managedValue(at: $0.position) })
                    places[key.compact()] = place
                }
                for (index, operand) in operands.enumerated() {
                    groups.add(statement.operand(in: operand), toAggregate: index, of: place)
                }
                valueCount += operands.count
                if valueCount > Self.maximumValues { return nil }
            }
            return ValueRows(try groups.makeSortedRows(), of: fetch)
        }
    }

    /// Returns the value of a column for its form in the database.
    private func value(of statement: SQLiteStatement, in column: ValueColumn) throws -> ManagedValue {
        let raw = statement.managedValue(at: column.position)
        guard case .object(let entity) = column.kind, case .int(let primaryKey) = raw else { return column.value(raw) }
        // As in a row: no reference.
        if primaryKey == 0 { return .null }
        var index = entity.index
        if let entityColumn = column.entityColumn {
            index = try store.entityIndex(ofNumber: Int(statement.int64(at: entityColumn)))
        }
        let key = ObjectKey(store: store.index, entity: index, primaryKey: try store.usable(primaryKey))
        return .object(AnyObjectID(key: key, directory: store.directory))
    }

    // MARK: Single objects

    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? {
        do {
            if keyRead?.entity != key.entityIndex { try beginKeyRead(ofEntityAt: key.entityIndex) }
            if let row = try keyRead?.row(of: key, &loader, in: &arena) { return row }
            try requireNoDamagedRow(of: key)
            return nil
        } catch let error as StoreError {
            throw store.damagedRow(error, of: store.directory.layout(of: key).entity, primaryKey: key.primaryKey)
        } catch {
            throw translated(error)
        }
    }

    /// Throws if the row's entity is unknown to the model: such a row does not belong to the object, but the object is not
    /// gone either.
    @inline(never)
    private func requireNoDamagedRow(of key: ObjectKey) throws {
        guard let select = store.plans.statements(ofEntityAt: key.entityIndex)?.selectEntityNumber else { return }
        try connection.withStatement(select) { statement in
            statement.bind(key.primaryKey, at: 1)
            guard try statement.step() else { return }
            let number = Int(truncatingIfNeeded: statement.int64(at: 0))
            let root = store.directory.layout(of: key).entity.root
            let found = store.plans.entityIndicesByNumber[number].map { store.directory.model.entities[$0].root }
            if found !== root { throw StoreError.unexpectedEntity(number, in: store.fileURL) }
        }
    }

    @inline(never)
    private func beginKeyRead(ofEntityAt entity: Int) throws {
        try requireStanding()
        endKeyRead()
        // `nil` if the store does not contain the entity.
        guard let select = store.plans.statements(ofEntityAt: entity)?.selectByKey else { return }
        loader.prepare(select.plan)
        keyRead = KeyRead(entity: entity, select: select, statement: try connection.lend(select.sql))
    }

    private func endKeyRead() {
        guard let keyRead else { return }
        self.keyRead = nil
        connection.checkIn(keyRead.statement, of: keyRead.sql)
    }

    func rows(of keys: [ObjectKey], into sink: some RowSink) throws {
        guard let first = keys.first else { return }
        if keys.allSatisfy({ $0.entityIndex == first.entityIndex }) {
            return try load(keys, with: store.plans.statements(ofEntityAt: first.entityIndex)?.selectByKeys, into: sink)
        }
        // One statement for each table, whatever sub-entities the rows are of.
        for (root, keys) in Dictionary(grouping: keys, by: { store.directory.layout(of: $0).entity.root.index }) {
            try load(keys, with: store.plans.statements(ofEntityAt: root)?.selectFamilyByKeys, into: sink)
        }
    }

    private func load(
        _ keys: [ObjectKey], with select: SQLiteStatements.KeysSelect?, into sink: some RowSink
    ) throws {
        guard let select else { return }
        try translating {
            try withStatement(select, of: keys.sorted { $0.primaryKey < $1.primaryKey }) { statement in
                try load(statement, plan: select.plan, into: sink, damaged: .passedOver)
            }
        }
    }

    /// Runs the SELECT of several objects, which is faster if their keys are consecutive.
    ///
    /// - Parameter keys: In ascending order.
    private func withStatement(
        _ select: SQLiteStatements.KeysSelect, of keys: [ObjectKey], _ body: (SQLiteStatement) throws -> Void
    ) throws {
        guard let first = keys.first, let last = keys.last else { return }
        let isRange = zip(keys, keys.dropFirst()).allSatisfy { $1.primaryKey == $0.primaryKey + 1 }
        try connection.withStatement(isRange ? select.range : select.list) { statement in
            if isRange {
                statement.bind(first.primaryKey, at: 1)
                statement.bind(last.primaryKey, at: 2)
            } else {
                try statement.bind(keys.primaryKeyList, at: 1)
            }
            try body(statement)
        }
    }

    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) throws {
        guard let select = store.plans.destinations(of: relationship) else { return }
        try translating {
            try connection.withStatement(select.sql) { statement in
                statement.bind(key.primaryKey, at: 1)
                try load(statement, plan: select.plan, into: sink, damaged: .thrown)
            }
        }
    }

    @_specialize(where Sink == ObjectSink)
    func destinations<Sink: RowSink>(
        of relationship: Entity.Relationship, from keys: [ObjectKey], into sink: Sink
    ) throws {
        guard let select = store.plans.cohortDestinations(of: relationship) else { return }
        loader.prepare(select.plan)
        let loader = loader
        var arena = sink.arena
        defer { sink.arena = arena }
        let ownerColumn = select.plan.rowPlan.columnCount
        var open = 0
        try translating {
            try withStatement(select, of: keys) { statement in
                while try statement.step() {
                    let owner = statement.int64(at: ownerColumn)
                    while open < keys.count, keys[open].primaryKey != owner {
                        open += 1
                        if !sink.ownerDidEnd() { return }
                    }
                    do {
                        try load(statement, plan: select.plan, with: loader, arena: &arena, into: sink)
                    } catch {
                        throw store.damagedRow(error, in: statement, plan: select.plan)
                    }
                }
                while open < keys.count {
                    open += 1
                    if !sink.ownerDidEnd() { return }
                }
            }
        }
    }

    func version(of key: ObjectKey) throws -> Int64? {
        guard let sql = store.plans.statements(ofEntityAt: key.entityIndex)?.selectVersion else { return nil }
        return try translating {
            try connection.withStatement(sql) { statement in
                statement.bind(key.primaryKey, at: 1)
                return try statement.step() ? statement.int64(at: 0) : nil
            }
        }
    }

    func lastPrimaryKey(of entity: Entity) throws -> Int64 {
        try translating {
            try store.lastPrimaryKey(ofEntityNumber: store.plans.entityNumbers[entity.root.index], connection)
        }
    }

    // MARK: History

    func keepsHistory() throws -> Bool {
        try translating { try HistoryTables(on: connection, at: store.fileURL) != nil }
    }

    func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]? {
        try translating {
            try HistoryLoader(connection: connection, store: store)?.records(
                after: bound, includingChanges: includingChanges)
        }
    }

    func lastHistoryPosition() throws -> HistoryPosition? {
        try translating {
            try HistoryLoader(connection: connection, store: store)?.lastPosition()
        }
    }

    // MARK: Running

    private func run<Result>(
        _ query: SQLQuery, of fetch: ResolvedFetch, body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        try limited(fetch) {
            try connection.withStatement(query.sql) { statement in
                try statement.bind(query.bindings)
                return try body(statement)
            }
        }
    }

    /// Runs the reads of a fetch, which end when its task is cancelled and at its deadline.
    private func limited<Result>(_ fetch: ResolvedFetch, body: () throws -> Result) throws -> Result {
        try requireStanding()
        do {
            return try connection.limited(until: fetch.deadline, body)
        } catch {
            if (error as? SQLiteFailure)?.isInterrupted == true { try fetch.requireTime() }
            throw translated(error)
        }
    }

    /// Steps through a SELECT of rows and passes them to the sink.
    // Specialized, as in `destinations`: unspecialized, each row would take calls through the sink's witness table.
    @_specialize(where Sink == ObjectSink)
    private func load<Sink: RowSink>(
        _ statement: SQLiteStatement, plan: LoadPlan, into sink: Sink, damaged handling: DamagedRows.Handling
    ) throws {
        loader.prepare(plan)
        let loader = loader
        // A local variable: an access to the sink's own would be checked for each row.
        var arena = sink.arena
        defer { sink.arena = arena }
        var damaged = DamagedRows(handling)
        // One `do` for all rows until a damaged one, which is passed over by another turn of the outer loop.
        var hasRow = try statement.step()
        while hasRow {
            do {
                while hasRow {
                    try load(statement, plan: plan, with: loader, arena: &arena, into: sink)
                    hasRow = try statement.step()
                }
            } catch let failure as SQLiteFailure {
                throw failure
            } catch {
                try damaged.add(store.damagedRow(error, in: statement, plan: plan))
                hasRow = try statement.step()
            }
        }
        damaged.report(to: store.directory)
    }

    /// Passes the current row to the sink.
    @inline(__always)
    private func load(
        _ statement: SQLiteStatement, plan: LoadPlan, with loader: RowLoader, arena: inout RowArena,
        into sink: some RowSink
    ) throws {
        let (key, position) = try loader.key(of: statement, plan: plan)
        if sink.wants(key) {
            let pointer = try loader.pack(statement, plan: plan, position: position, into: &arena)
            sink.take(key, at: pointer, in: &arena)
        }
    }

    /// Converts failures of SQLite into errors with a remedy. An error thrown by a condition's function is passed on
    /// unchanged.
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        try requireStanding()
        do { return try body() } catch { throw translated(error) }
    }

    private func requireStanding() throws {
        if let loss { throw loss }
    }

    func translated(_ error: any Error) -> any Error {
        guard let failure = error as? SQLiteFailure else { return error }
        note(failure)
        return failure.underlyingError as? FetchError ?? StoreError(failure, storeURL: store.fileURL)
    }

    private func note(_ error: any Error) {
        guard let failure = error as? SQLiteFailure else { return }
        if failure.spendsConnection { lease.isSpent = true }
        connection.noteFall(failure)
        if loss == nil, !connection.isInTransaction { lose(by: failure) }
    }

    private func lose(by failure: SQLiteFailure) {
        loss = StoreError(failure, storeURL: store.fileURL)
        // The statement could be stepped without a further look.
        endKeyRead()
        owner?.readerDidLoseSnapshot()
    }
}
