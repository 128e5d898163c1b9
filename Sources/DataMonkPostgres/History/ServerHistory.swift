#if Postgres
    import DataMonkCore
    import Foundation

    /// **Value.** The history of one transaction on the server, which may be of several saves.
    ///
    /// ```sql
    /// INSERT INTO _history_changes …   with the writes of a save, before its deletions, whose tombstones it reads
    /// INSERT INTO _history …           for all saves, behind the lock that puts commits in order
    /// ```
    /// So the numbers have the order in which the commits become visible, and who reads up to one of them has read all before
    /// it. Changes name their transaction by its identifier, which is known before the lock: however many there are, others do
    /// not wait for them. Neither statement takes a round trip of its own.
    struct ServerHistory {
        /// **Value.** A transaction of the history.
        private struct Member {
            /// Of the time, so that changes that are written together lie together in the index.
            let identifier = UUID.inOrderOfTime()
            let signature: HistorySignature
            var changeCount: Int64 = 0
        }

        private let store: ServerStore
        private let tables: ServerHistoryTables
        private var members: [Member] = []
        private var signature = HistorySignature()
        /// A Boolean value indicating whether the next changes belong to the last member.
        private var isOpen = false
        /// The members at the last savepoint, and whether the last one was open.
        private var former: (members: [Member], isOpen: Bool) = ([], false)

        init(of store: ServerStore) {
            self.store = store
            tables = ServerHistoryTables(namespace: store.schema.namespace)
        }

        /// Begins a transaction of the history, to which the following changes belong.
        mutating func begin(_ signature: HistorySignature?) {
            self.signature = signature ?? HistorySignature()
            isOpen = false
        }

        mutating func beginSavepoint() { former = (members, isOpen) }

        mutating func rollBackToSavepoint() { (members, isOpen) = former }

        // MARK: Changes

        /// Notes changes, and returns the statements that record them, to be run before objects are deleted.
        mutating func statements(for entries: [HistoryEntry]) throws -> [ServerWrite] {
            if entries.isEmpty { return [] }
            try openMember()
            let last = members.count - 1
            let first = members[last].changeCount
            members[last].changeCount += Int64(entries.count)
            var plain: [(place: Int64, entry: HistoryEntry)] = []
            var preserved: [Int: [(place: Int64, entry: HistoryEntry)]] = [:]
            for (place, entry) in zip(first..., entries) {
                if entry.type == .delete, hasTombstones(entry.key.entityIndex) {
                    preserved[entry.key.entityIndex, default: []].append((place, entry))
                } else {
                    plain.append((place, entry))
                }
            }
            let identifier = members[last].identifier
            var statements = try Self.parts(of: plain).map { part in
                ServerWrite(try insertion(of: part, identifier), ofRows: [])
            }
            for (entity, deletions) in preserved.sorted(by: { $0.key < $1.key }) {
                statements += try Self.parts(of: deletions).map { part in
                    ServerWrite(try tombstones(of: part, entityAt: entity, identifier))
                }
            }
            return statements
        }

        private mutating func openMember() throws {
            if isOpen { return }
            do {
                // Now, since at the commit it would fail for the whole group.
                _ = try PostgresStatement("", values: signature.author, signature.contextName)
            } catch {
                throw StoreError.unwritableSignature(error)
            }
            members.append(Member(signature: signature))
            isOpen = true
        }

        private static func parts<Element>(of elements: [Element]) -> [ArraySlice<Element>] {
            stride(from: 0, to: elements.count, by: rowsInStatement).map { start in
                elements[start..<min(start + rowsInStatement, elements.count)]
            }
        }

        /// Some hundred kilobytes.
        private static let rowsInStatement = 5_000

        private func insertion(
            of entries: ArraySlice<(place: Int64, entry: HistoryEntry)>, _ identifier: UUID
        ) throws -> PostgresStatement {
            var parameters = PostgresParameters()
            try parameters.append(array: entries.map { _ in identifier })
            try parameters.append(array: entries.map(\.place))
            try parameters.append(array: entries.map { Int16($0.entry.type.rawValue) })
            try parameters.append(array: entries.map { try number(ofEntityAt: $0.entry.key.entityIndex) })
            try parameters.append(array: entries.map(\.entry.key.primaryKey))
            try parameters.append(array: entries.map { names(in: $0.entry) })
            return .prepared(
                """
                INSERT INTO \(tables.changes) (transaction_id, place, type, entity, object, properties) \
                SELECT transaction_id, place, type, entity, object, string_to_array(properties, chr(31)) \
                FROM unnest($1, $2, $3, $4, $5, $6) AS changes (transaction_id, place, type, entity, object, properties)
                """, parameters)
        }

        /// The names of the properties that an update sets, with the separator of units between them, since `unnest` makes one
        /// column of arrays in an array; `nil` for other changes.
        private func names(in entry: HistoryEntry) -> String? {
            guard entry.type == .update else { return nil }
            let properties = store.directory.model.entities[entry.key.entityIndex].properties
            var names: [String] = []
            entry.slots.forEach { names.append(properties[$0].name) }
            return names.joined(separator: "\u{1f}")
        }

        private func number(ofEntityAt index: Int) throws -> Int32 {
            let entity = store.directory.model.entities[index]
            guard let place = store.schema.place(of: entity) else { throw StoreError.entityNotOnServer(entity) }
            return place.number
        }

        // MARK: Tombstones

        private func hasTombstones(_ entityIndex: Int) -> Bool {
            !store.directory.model.entities[entityIndex].tombstoneAttributes.isEmpty
        }

        /// Records deletions, with the values that the rows have now.
        private func tombstones(
            of entries: ArraySlice<(place: Int64, entry: HistoryEntry)>, entityAt index: Int, _ identifier: UUID
        ) throws -> PostgresStatement {
            let entity = store.directory.model.entities[index]
            guard let place = store.schema.place(of: entity) else { throw StoreError.entityNotOnServer(entity) }
            var (names, values): ([String], [String]) = ([], [])
            for attribute in entity.tombstoneAttributes {
                guard case .value(let column) = place.storage[attribute.slot] else { continue }
                names.append(attribute.name)
                values.append(
                    "int4send(\(column.type.id)) || \(column.type.sendFunction)(target.\(column.identifier))")
            }
            var parameters = PostgresParameters()
            try parameters.append(identifier)
            try parameters.append(place.number)
            try parameters.append(array: names)
            try parameters.append(array: entries.map(\.place))
            try parameters.append(array: entries.map(\.entry.key.primaryKey))
            return .prepared(
                """
                INSERT INTO \(tables.changes) (transaction_id, place, type, entity, object, properties, tombstone) \
                SELECT $1, changes.place, \(HistoryChange.ChangeType.delete.rawValue), $2, changes.object, $3, \
                CAST(ARRAY[\(values.joined(separator: ", "))] AS bytea[]) \
                FROM unnest($4, $5) AS changes (place, object) \
                LEFT JOIN \(store.schema.namespace.qualified(place.table.name)) AS target ON target."_id" = changes.object
                """, parameters)
        }

        // MARK: Transactions

        /// The statement that gives the transactions their numbers, behind the lock that puts commits in order; `nil` if nothing
        /// was changed.
        var transactionStatement: PostgresStatement? {
            get throws(PostgresValueError) {
                if members.isEmpty { return nil }
                var parameters = PostgresParameters()
                try parameters.append(array: members.map(\.identifier))
                try parameters.append(array: members.map(\.changeCount))
                try parameters.append(array: members.map(\.signature.author))
                try parameters.append(array: members.map(\.signature.contextName))
                try parameters.append(Bundle.main.bundleIdentifier)
                try parameters.append(ProcessInfo.processInfo.processName)
                return .prepared(
                    """
                    INSERT INTO \(tables.transactions) (number, identifier, first_change, change_count, author, context_name, \
                    bundle_id, process_name) \
                    SELECT coalesce(last.number, 0) + place, members.identifier, \
                    coalesce(last.next_change, 1) + sum(members.change_count) OVER (ORDER BY place) - members.change_count, \
                    members.change_count, members.author, members.context_name, $5, $6 \
                    FROM unnest($1, $2, $3, $4) WITH ORDINALITY \
                    AS members (identifier, change_count, author, context_name, place) \
                    LEFT JOIN (SELECT number, first_change + change_count AS next_change FROM \(tables.transactions) \
                    ORDER BY number DESC LIMIT 1) AS last ON true
                    """, parameters)
            }
        }
    }

    extension PostgresType {
        /// The function that returns the binary format of a value.
        fileprivate var sendFunction: String {
            switch self {
            case .int2: "int2send"
            case .int4: "int4send"
            case .int8: "int8send"
            case .float4: "float4send"
            case .float8: "float8send"
            case .bool: "boolsend"
            case .numeric: "numeric_send"
            case .timestamptz: "timestamptz_send"
            case .uuid: "uuid_send"
            case .text: "textsend"
            default: "byteasend"
            }
        }
    }

    extension UUID {
        /// Returns a new identifier that begins with the time, in milliseconds: version 7.
        static func inOrderOfTime() -> UUID {
            var bytes = UUID().uuid
            let time = UInt64(max(0, Date().timeIntervalSince1970 * 1_000))
            func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: time >> (8 * index)) }
            (bytes.0, bytes.1, bytes.2) = (byte(5), byte(4), byte(3))
            (bytes.3, bytes.4, bytes.5) = (byte(2), byte(1), byte(0))
            bytes.6 = 0x70 | bytes.6 & 0x0f
            return UUID(uuid: bytes)
        }
    }

    extension StoreError {
        fileprivate static func unwritableSignature(_ error: PostgresValueError) -> StoreError {
            StoreError(
                .writeFailed,
                "The transaction's author or the context's name cannot be stored in the history. \(error.description)",
                underlyingError: error)
        }
    }
#endif
