import DataMonkCore
import DataMonkSQL

/// **Confined.** The writer's transaction, from `BEGIN IMMEDIATE` to `COMMIT`.
///
/// Within a change set, the order is deletions, updates, insertions, links. A unique value can therefore move from a deleted
/// object to a new one in one save.
final class SQLiteTransaction: StoreTransaction {
    private let writer: SQLiteWriter
    /// The writer that has taken the place of `writer` after a failed COMMIT. Nothing is written by it before the next
    /// transaction.
    private var replacement: SQLiteWriter?
    private var presentWriter: SQLiteWriter { replacement ?? writer }
    let connection: SQLiteConnection
    let store: SQLiteStore
    private var savepoint: SQLiteConnection.Savepoint?
    /// The primary keys assigned when the savepoint was opened. Undoing the savepoint restores them.
    private var numbersAtSavepoint = PrimaryKeyNumbers()
    /// The files of large values written so far; `nil` if the model has none.
    let externalData: ExternalDataLog?
    /// The objects written with such files. Their rows will hold references instead of the values.
    @exclusivity(unchecked)  // Confined, and no access calls back into the transaction.
    private var keysWithFiles: [ObjectKey] = []
    /// Writes the history; `nil` if none is kept.
    let history: HistoryWriter?
    let sawForeignChanges: Bool
    private(set) var isOutcomeUnknown = false

    init(_ writer: SQLiteWriter, store: SQLiteStore) throws {
        self.writer = writer
        self.store = store
        connection = writer.connection
        externalData = store.externalData.map(ExternalDataLog.init)
        try store.files.checkFromTimeToTime()
        do {
            sawForeignChanges = try store.desk.begin(writer, of: store.files)
        } catch let failure as SQLiteFailure where failure.isMoved {
            // From here on the store has failed, unless the files cannot be examined.
            try store.files.checkAll()
            throw failure
        }
        do {
            history = try store.history(keptBy: writer).map {
                HistoryWriter(schema: $0.schema, tables: $0.tables, writer: writer, store: store)
            }
        } catch {
            try store.desk.rollBack(writer)
            throw error
        }
    }

    var isStanding: Bool { connection.isInTransaction }

    func beginSavepoint() throws {
        savepoint = try translating { try connection.beginSavepoint() }
        numbersAtSavepoint = writer.numbers
        externalData?.beginSavepoint()
    }

    func releaseSavepoint() throws {
        guard let savepoint else { return }
        self.savepoint = nil
        try translating { try connection.release(savepoint) }
    }

    func rollBackToSavepoint() throws {
        guard let savepoint else { return }
        self.savepoint = nil
        writer.forgetNumbers()
        writer.numbers = numbersAtSavepoint
        try translating { try connection.rollBack(to: savepoint) }
        externalData?.rollBackToSavepoint()
    }

    func commit() throws {
        try externalData?.willCommit()
        try translating {
            try writer.writeNumbers(store)
            try runCommit()
            // An error from here on does not undo the commit: it is in the file, wherever that has gone.
            isOutcomeUnknown = true
            try store.files.checkCommitted()
            isOutcomeUnknown = false
        }
    }

    private func runCommit() throws {
        store.desk.willCommit()
        do {
            defer { store.desk.transactionDidMove(writer) }
            try connection.commit()
        } catch let failure as SQLiteFailure where failure.mayLeaveCommit && !connection.isInTransaction {
            // Reason for try?: the failure of COMMIT says more. Without a replacement, the log may end in the whole commit, and
            // whoever recovers it, once this process is gone, takes it for one that has returned.
            replacement = try? store.replacement(for: writer)
            isOutcomeUnknown = replacement == nil
            throw failure
        }
    }

    func rollBack() {
        do { try store.desk.rollBack(writer) } catch {
            // It leaves a transaction that cannot be committed. The connection is returned with it, and the next transaction
            // begins with another attempt.
            store.directory.report(StoreError.failedRollback(error, in: store.fileURL))
        }
        externalData?.rollBack()
    }

    func end() {
        moveLogIfDue()
        store.desk.checkIn(presentWriter)
    }

    /// Moves the log into the file if it is due. If that fails, the contents stay in the log until the next checkpoint:
    /// nothing is lost, but the log grows.
    private func moveLogIfDue() {
        do {
            try connection.checkpointIfDue { [store] in try store.checkpointer.checkpoint() }
        } catch {
            // The log's sync may have failed: it is unknown whether this connection's writes are on disk.
            presentWriter.note(error)
            store.directory.report(StoreError.failedCheckpoint(error, pages: connection.logPages, in: store.fileURL))
        }
    }

    func reservePrimaryKeys(_ count: Int, for entity: Entity) throws -> Int64 {
        try translating {
            let number = store.plans.entityNumbers[entity.root.index]
            return try writer.reservePrimaryKeys(count, ofEntityNumber: number, in: store)
        }
    }

    // MARK: Writing

    func write(_ changes: ChangeSet) throws -> [StoredVersion] {
        try translating {
            var stale: [ObjectKey] = []
            keysWithFiles = []
            if hasDerivations { _ = writer.derivations.take() }
            if let folder = store.externalData, changes.leavesFiles(store.plans) { folder.noteOrphans() }
            let tombstones = try history?.tombstones(of: changes.deleted.map(\.key)) ?? [:]
            try delete(changes.deleted, stale: &stale)
            var refused: [ChangeSet.ObjectChange] = []
            try update(changes.updated, stale: &stale, refused: &refused)
            if !stale.isEmpty { return try stale.map(readStored) }
            if !refused.isEmpty { refused = try rewrite(refused) }
            try insert(changes.inserted, refused: &refused)
            if !refused.isEmpty {
                return try duplicates(of: refused, changed: Set((changes.updated + changes.inserted).map(\.key)))
            }
            for link in changes.links { try write(link) }
            if let history { try history.note(changes.historyEntries, tombstones: tombstones) }
            return []
        }
    }

    /// Deletes rows. Consecutive deletions of one entity share a statement, or few.
    private func delete(_ deletions: [ChangeSet.Deletion], stale: inout [ObjectKey]) throws {
        var rest = deletions[...]
        while let key = rest.first?.key {
            let statements = try statements(of: key)
            let deletions = rest.prefix { $0.key.entityIndex == key.entityIndex }
            rest = rest[deletions.endIndex...]
            if deletions.count < Self.rangeCount || !statements.deleteLinks.isEmpty {
                try delete(deletions, statements, stale: &stale)
                continue
            }
            let sorted = deletions.sorted { $0.key.primaryKey < $1.key.primaryKey }
            var found: [ObjectKey] = []
            for range in Self.ranges(of: sorted) {
                if range.count < Self.rangeCount {
                    try delete(sorted[range], statements, stale: &found)
                } else {
                    try deleteRange(sorted[range], statements, stale: &found)
                }
            }
            if found.isEmpty { continue }
            // In the order of the deletions, as conflicts are.
            let keys = Set(found)
            stale += deletions.map(\.key).filter(keys.contains)
        }
    }

    /// The number of rows from which on a statement for a range of keys is faster than one for each row.
    private static var rangeCount: Int { 32 }

    /// Returns the indexes of deletions whose keys lie together, with few others between them.
    private static func ranges(of deletions: [ChangeSet.Deletion]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for index in deletions.indices.dropFirst() {
            let gap = deletions[index].key.primaryKey - deletions[index - 1].key.primaryKey
            if gap > 8 || index - start == 16_384 {
                ranges.append(start..<index)
                start = index
            }
        }
        return ranges + [start..<deletions.count]
    }

    private func deleteRange(
        _ deletions: ArraySlice<ChangeSet.Deletion>, _ statements: SQLiteStatements.EntityStatements,
        stale: inout [ObjectKey]
    ) throws {
        guard let first = deletions.first, let last = deletions.last else { return }
        var deletedCount: Int64 = 0
        let areFound = try writer.dueDeletions.deleting(deletions) {
            try connection.withStatement(statements.deleteRange) { statement in
                statement.bind(first.key.primaryKey, at: 1)
                statement.bind(last.key.primaryKey, at: 2)
                try statement.run()
                deletedCount = connection.changes
            }
        }
        // Otherwise a trigger has kept some, and it is unknown which.
        let areGone = deletedCount == Int64(areFound.count(where: \.self))
        for (deletion, isFound) in zip(deletions, areFound) where deletion.base != nil && !(isFound && areGone) {
            stale.append(deletion.key)
        }
    }

    private func delete(
        _ deletions: ArraySlice<ChangeSet.Deletion>, _ statements: SQLiteStatements.EntityStatements,
        stale: inout [ObjectKey]
    ) throws {
        var index = deletions.startIndex
        while index < deletions.endIndex {
            let isRead = deletions[index].base != nil
            try connection.withStatement(isRead ? statements.delete : statements.deleteAnyVersion) { statement in
                while index < deletions.endIndex, (deletions[index].base != nil) == isRead {
                    let deletion = deletions[index]
                    index += 1
                    try deleteLinks(of: deletion.key, statements)
                    statement.bind(deletion.key.primaryKey, at: 1)
                    if let base = deletion.base { statement.bind(base.version, at: 2) }
                    try statement.run()
                    // The stored version differs. An object that was never read is deleted whatever its version.
                    if isRead, connection.changes != 1 { stale.append(deletion.key) }
                }
            }
        }
    }

    private func deleteLinks(of key: ObjectKey, _ statements: SQLiteStatements.EntityStatements) throws {
        for sql in statements.deleteLinks {
            try connection.withStatement(sql) {
                $0.bind(key.primaryKey, at: 1)
                try $0.run()
            }
        }
    }

    /// The outcome of writing a row.
    enum Outcome {
        case written
        /// The stored version differs.
        case stale
        /// A unique index has the values for another row.
        case refused
    }

    private func update(
        _ changes: [ChangeSet.ObjectChange], stale: inout [ObjectKey], refused: inout [ChangeSet.ObjectChange]
    ) throws {
        var index = 0
        // Consecutive objects of one entity with the same changed slots share a statement.
        while index < changes.count {
            let first = changes[index]
            let writing = try updateStatement(first)
            try connection.withStatement(writing.sql) { statement in
                while index < changes.count, changes[index].key.entityIndex == first.key.entityIndex,
                    changes[index].changed == first.changed
                {
                    let change = changes[index]
                    index += 1
                    let files = externalData?.count
                    switch try update(change, plan: writing.plan, statement: statement) {
                    case .written: break
                    case .stale: stale.append(change.key)
                    case .refused: refused.append(change)
                    }
                    if files != externalData?.count { keysWithFiles.append(change.key) }
                }
            }
        }
    }

    /// Writes one update.
    func update(_ change: ChangeSet.ObjectChange) throws -> Outcome {
        let writing = try updateStatement(change)
        return try connection.withStatement(writing.sql) { try update(change, plan: writing.plan, statement: $0) }
    }

    private func updateStatement(_ change: ChangeSet.ObjectChange) throws -> SQLiteStatements.RowChange {
        if let known = store.plans.update(ofEntityAt: change.key.entityIndex, change.changed) { return known }
        throw StoreError.entityNotInStore(store.directory.layout(of: change.key).entity, at: store.fileURL)
    }

    @inline(__always)
    private func update(
        _ change: ChangeSet.ObjectChange, plan: WritePlan, statement: SQLiteStatement
    ) throws -> Outcome {
        statement.bind(change.row.version, at: 1)
        do {
            try statement.bind(
                plan, of: change.row.pointer, from: 2, entityNumbers: store.plans.entityNumbers,
                externalData: externalData)
        } catch {
            throw store.naming(change.key, in: error)
        }
        statement.bind(change.key.primaryKey, at: 2 + plan.width)
        // An update is based on a row: NULL equals no stored version.
        if let base = change.base {
            statement.bind(base.version, at: 3 + plan.width)
        } else {
            statement.bindNull(at: 3 + plan.width)
        }
        if try !isAccepted({ try statement.run() }) { return .refused }
        return connection.changes == 1 ? .written : .stale
    }

    private func insert(_ changes: [ChangeSet.ObjectChange], refused: inout [ChangeSet.ObjectChange]) throws {
        var index = 0
        // Consecutive objects of one entity share a statement.
        while index < changes.count {
            let entity = changes[index].key.entityIndex
            let statements = try statements(of: changes[index].key)
            let plan = statements.insert.plan
            try connection.withStatement(statements.insert.sql) { statement in
                statement.bind(Int64(statements.writing.entityNumber), at: 2)
                while index < changes.count, changes[index].key.entityIndex == entity {
                    let files = externalData?.count
                    // By index: extracting a change would cost three retain counts.
                    if try !insert(
                        changes[index].key, row: changes[index].row.pointer, plan: plan, statement: statement)
                    {
                        refused.append(changes[index])
                    }
                    if files != externalData?.count { keysWithFiles.append(changes[index].key) }
                    index += 1
                }
            }
        }
    }

    /// Inserts a row. Returns `false` if a unique index refuses it.
    @inline(__always)
    private func insert(
        _ key: ObjectKey, row: UnsafeRawPointer, plan: WritePlan, statement: SQLiteStatement
    ) throws -> Bool {
        statement.bind(key.primaryKey, at: 1)
        statement.bind(RowFormat.version(row), at: 3)
        try statement.bind(plan, of: row, from: 4, entityNumbers: store.plans.entityNumbers, externalData: externalData)
        return try isAccepted { try statement.run() }
    }

    // MARK: Links

    private func write(_ link: ChangeSet.LinkChange) throws {
        guard let writing = store.plans.linkChange(of: link.relationship) else { return }
        if let delete = writing.delete { try run(delete, with: link.owner, link.removed) }
        if let insert = writing.insert { try run(insert, with: link.owner, link.added) }
        if let setOrder = writing.setOrder {
            try writeOrder(of: link, setOrder: setOrder, lastOrder: writing.lastOrder)
        }
    }

    /// Writes the whole order if it is known, otherwise appends the new elements.
    private func writeOrder(
        of link: ChangeSet.LinkChange, setOrder: PreparedSQL, lastOrder: PreparedSQL?
    ) throws {
        var orderKey = LinkWriting.firstOrderKey
        if link.order == nil, let lastOrder {
            let last = try connection.withStatement(lastOrder) { statement in
                statement.bind(link.owner.primaryKey, at: 1)
                return try statement.step() ? statement.int64(at: 0) : 0
            }
            // A damaged file may contain any number.
            guard last <= Int64.max - LinkWriting.orderKeyStep * Int64(link.added.count + 1) else {
                throw store.naming(link.owner, in: StoreError.noRoom(in: link.relationship, at: store.fileURL))
            }
            orderKey = max(orderKey, last + LinkWriting.orderKeyStep)
        }
        try connection.withStatement(setOrder) { statement in
            for key in link.order ?? link.added {
                statement.bind(orderKey, at: 1)
                statement.bind(link.owner.primaryKey, at: 2)
                statement.bind(key.primaryKey, at: 3)
                try statement.run()
                orderKey += LinkWriting.orderKeyStep
            }
        }
    }

    /// Writes the links from an owner to some destinations.
    private func run(_ sql: PreparedSQL, with owner: ObjectKey, _ destinations: some Collection<ObjectKey>) throws {
        if destinations.isEmpty { return }
        try connection.withStatement(sql) { statement in
            for key in destinations {
                statement.bind(owner.primaryKey, at: 1)
                statement.bind(key.primaryKey, at: 2)
                try statement.run()
            }
        }
    }

    func rowsAsStored(after changes: ChangeSet) throws -> [StoredVersion] {
        var keys = Set(keysWithFiles)
        if hasDerivations {
            keys.formUnion(
                try writer.derivations.take().map { try store.key(ofEntityNumber: $0.entityNumber, $0.primaryKey) })
            // The written values were computed from an older row: others may have changed their sources since.
            for change in changes.inserted + changes.updated where store.plans.derives[change.key.entityIndex] {
                keys.insert(change.key)
            }
        }
        if keys.isEmpty { return [] }
        return try translating { try keys.map(readStored) }
    }

    private var hasDerivations: Bool {
        !store.plans.schema.derivations.isEmpty || !store.plans.schema.foreignDerivations.isEmpty
    }

    // MARK: Conflicts

    func stored(_ key: ObjectKey) throws -> StoredVersion { try translating { try readStored(key) } }

    func readStored(_ key: ObjectKey) throws -> StoredVersion {
        let select = try statements(of: key).selectByKey
        return try connection.withStatement(select.sql) { statement in
            statement.bind(key.primaryKey, at: 1)
            guard try statement.step() else { return StoredVersion(key: key, row: nil) }
            var arena = RowArena()
            var loader = RowLoader(store: store)
            defer { loader.deallocate() }
            loader.prepare(select.plan)
            let (_, position) = try loader.key(of: statement, plan: select.plan)
            let pointer = try loader.pack(statement, plan: select.plan, position: position, into: &arena)
            return StoredVersion(key: key, row: arena.row(at: pointer))
        }
    }

    func statements(of key: ObjectKey) throws -> SQLiteStatements.EntityStatements {
        if let statements = store.plans.statements(ofEntityAt: key.entityIndex) { return statements }
        throw StoreError.entityNotInStore(store.directory.layout(of: key).entity, at: store.fileURL)
    }

    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as SQLiteFailure {
            writer.note(failure)
            throw StoreError(failure, storeURL: store.fileURL)
        }
    }
}

extension ChangeSet {
    /// Returns `true` if the changes may leave files of large values unreferenced.
    fileprivate func leavesFiles(_ plans: SQLiteStatements) -> Bool {
        deleted.contains { !plans.externalDataSlots[$0.key.entityIndex].isEmpty }
            || updated.contains { change in
                plans.externalDataSlots[change.key.entityIndex].contains { change.changed.contains($0) }
            }
    }
}
