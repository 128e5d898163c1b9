#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    /// **Value.** The tables in which a store describes itself.
    struct ServerStoreRecord: Sendable {
        let identifier: UUID
        let metadata: StoreMetadata
        /// The number of the version that the store has now.
        let version: Int32
        /// The oldest version whose processes may go on.
        let oldestVersion: Int32
        /// The numbers of the store's versions, by the checksum of their hashes.
        let versions: [String: Int32]
        let numbers: [String: Int32]
        let names: ServerNames
        /// The last row of the log.
        let lastPosition: ServerLog.Position

        static func statements(in namespace: ServerNamespace) -> [PostgresStatement] {
            [
                PostgresStatement(
                    "SELECT identifier, metadata, version, oldest_version FROM \(namespace.qualified("_store"))"),
                PostgresStatement("SELECT number, name FROM \(namespace.qualified("_entities"))"),
                PostgresStatement(
                    "SELECT kind, entity, property, in_table, name FROM \(namespace.qualified("_names")) ORDER BY place"
                ),
                ServerLog.Position.lastStatement(in: namespace),
                PostgresStatement("SELECT number, checksum FROM \(namespace.qualified("_versions"))"),
            ]
        }

        /// - Parameter results: The results of the statements.
        init(_ results: [PostgresResult], in namespace: ServerNamespace) throws {
            identifier = try results[0].required(row: 0, column: 0)
            do {
                metadata = try StoreMetadata(propertyList: results[0].required(Data.self, row: 0, column: 1))
            } catch {
                throw StoreError.damagedMetadata(error, in: namespace)
            }
            version = try results[0].required(row: 0, column: 2)
            oldestVersion = try results[0].required(row: 0, column: 3)
            numbers = try Self.numbers(in: results[1])
            names = try Self.names(in: results[2])
            lastPosition = try .last(in: results[3])
            versions = try Self.numbers(in: results[4])
        }

        private static func numbers(in result: PostgresResult) throws -> [String: Int32] {
            var numbers: [String: Int32] = [:]
            for row in 0..<result.rowCount {
                numbers[try result.required(String.self, row: row, column: 1)] = try result.required(
                    row: row, column: 0)
            }
            return numbers
        }

        /// Names of a kind that this version does not know belong to what it does not use. They are taken all the same.
        private static func names(in result: PostgresResult) throws -> ServerNames {
            var entries: [ServerNames.Entry] = []
            var unknown: [(table: String, name: String)] = []
            for row in 0..<result.rowCount {
                func text(_ column: Int) throws -> String { try result.required(row: row, column: column) }
                let (table, name) = (try text(3), try text(4))
                guard let kind = ServerNames.Subject.Kind(rawValue: try text(0)) else {
                    unknown.append((table, name))
                    continue
                }
                let subject = ServerNames.Subject(kind: kind, entity: try text(1), property: try text(2))
                entries.append(ServerNames.Entry(subject: subject, table: table, name: name))
            }
            var names = ServerNames(entries)
            for (table, name) in unknown { names.reserve(name, in: table) }
            return names
        }

        /// Returns the number of a model's version, with which the store can be used: that which it has, or an earlier one to
        /// which only additions were made.
        ///
        /// Throws a `MigrationError` for another earlier version, and a `StoreError` for one that the store has never had.
        func version(ofMembers members: [Entity], of model: ManagedObjectModel, in namespace: ServerNamespace) throws
            -> Int32
        {
            guard let mismatch = metadata.mismatch(withMembers: members, of: model) else { return version }
            guard let earlier = versions[StoreMetadata.checksum(ofMembers: members, of: model)] else {
                throw StoreError.mismatch(mismatch, in: namespace)
            }
            if earlier < oldestVersion { throw MigrationError.newerServerStore(in: namespace) }
            return earlier
        }
    }
#endif
