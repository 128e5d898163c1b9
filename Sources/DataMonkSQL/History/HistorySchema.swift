package import DataMonkCore
package import Foundation

/// **Value.** Core Data's persistent history of a store: its tables, and the meaning of their columns.
///
/// ```
/// ATRANSACTION        one row per save: time, and numbers of strings (author, bundle, context, process)
/// ACHANGE             one row per changed object: 0 inserted, 1 updated, 2 deleted; entity number and primary key
///   ZCOLUMNS          of an update: one bit for each property that was set
///   ZTOMBSTONE0 …     of a deletion: the attributes that the model preserves, by name; in early frameworks in the
///                     order of the model
/// ATRANSACTIONSTRING  the strings, each once
/// ```
/// The tables have numbers like entities, outside the range of the model's own: Z_PRIMARYKEY counts their keys.
///
/// The order of the bits in ZCOLUMNS is this library's own, because Core Data's is undocumented: the entity's properties by
/// name, the first in the lowest bit of the first byte. Transactions with a query generation (ZQUERYGEN) were written by
/// Core Data, and their bits are not read.
package struct HistorySchema: Sendable {
    /// **Value.** The tables, by their entity numbers.
    package enum Table: Int, Sendable, CaseIterable {
        case change = 16_001
        case transaction = 16_002
        case string = 16_003

        package var entityName: String {
            switch self {
            case .change: "CHANGE"
            case .transaction: "TRANSACTION"
            case .string: "TRANSACTIONSTRING"
            }
        }

        package var name: String { "A\(entityName)" }
    }

    private let model: ManagedObjectModel
    /// The tombstone attributes, by `Entity.index`; the first one is in ZTOMBSTONE0.
    private let tombstones: [[Entity.Attribute]]
    /// The properties in the order of the bits, by `Entity.index`.
    private let properties: [[Entity.Property]]

    package init(_ schema: StoreSchema) {
        model = schema.model
        tombstones = schema.model.entities.map(\.tombstoneAttributes)
        properties = schema.model.entities.map { entity in
            entity.properties.filter { !$0.isTransient }.sorted { String.precedesInBytes($0.name, $1.name) }
        }
    }

    /// Returns the tombstone attributes of an entity, in the order of their columns.
    ///
    /// - Parameter isInModelOrder: Whether they are in the order of the model, which Core Data used before it ordered them
    ///   by name; see `HistoryTables`.
    package func tombstones(ofEntityAt index: Int, isInModelOrder: Bool) -> [Entity.Attribute] {
        let attributes = tombstones[index]
        if !isInModelOrder { return attributes }
        return model.entities[index].attributes.filter(attributes.contains)
    }

    /// The number of tombstone columns.
    package var tombstoneCount: Int { tombstones.map(\.count).max() ?? 0 }

    package static func tombstoneColumn(_ place: Int) -> String { "ZTOMBSTONE\(place)" }

    package var createStatements: [String] {
        let tombstones = (0..<tombstoneCount).map { ", \(Self.tombstoneColumn($0))" }.joined()
        var statements = [
            """
            CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
            ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )
            """,
            """
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
            ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
            ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )
            """,
            """
            CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )
            """,
            "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        ]
        for column in ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"] {
            statements.append("CREATE INDEX ATRANSACTION_\(column)_INDEX ON ATRANSACTION (\(column))")
        }
        statements.append(
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)")
        statements.append(
            "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)")
        statements.append(
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)")
        return statements
    }

    // MARK: Bits

    /// Returns the ZCOLUMNS of an update.
    package func columns(of slots: SlotSet, entityAt index: Int) -> Data {
        var bits = Data(count: (properties[index].count + 7) / 8)
        for (place, property) in properties[index].enumerated() where slots.contains(property.slot) {
            bits[place / 8] |= 1 << UInt8(place % 8)
        }
        return bits
    }

    /// Returns the names of the properties in ZCOLUMNS.
    package func names(in columns: Data, entityAt index: Int) -> Set<String> {
        let bits = [UInt8](columns)
        var names: Set<String> = []
        for (place, property) in properties[index].enumerated() where place / 8 < bits.count {
            if bits[place / 8] & 1 << UInt8(place % 8) != 0 { names.insert(property.name) }
        }
        return names
    }
}
