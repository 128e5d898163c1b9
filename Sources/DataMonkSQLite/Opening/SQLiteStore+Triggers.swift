import DataMonkCore
import DataMonkSQL
import Foundation

/// A store's triggers keep derived attributes, and do nothing else: none runs whose text is not one that this library or
/// Core Data would write.
///
///     named like no derived attribute's trigger    the store is refused; see `refuseCode`
///     named so, and of Core Data's text            stays
///     of the text of an earlier version of ours    replaced, so that Core Data finds them
///     named so, and of another text, or            all triggers of the attribute are replaced and its values computed
///     some missing                                 anew, before the first write; see `repairTriggers`
///     of an attribute whose triggers we do not     stays if it can write nothing but the attribute; see
///     write                                        `ForeignDerivation`
extension SQLiteStore {
    /// The file holds nothing that runs code of whoever made it.
    ///
    /// - Parameter schema: the schema of the file's version.
    /// - Throws: ``StoreError`` with the code `incompatibleSchema` naming what is in the file and should not be.
    static func refuseCode(in objects: [SchemaObject], at url: URL, schema: StoreSchema) throws {
        if let strange = objects.first(where: schema.isStrange) { throw StoreError.unexpectedSchema(strange, in: url) }
    }

    /// Makes the triggers of derived attributes that have none, or not the right ones: the store was migrated, was written
    /// by a version that made others, or somebody changed them. The values are computed anew, for they may be wrong.
    ///
    /// Takes the write lock only if there is something to repair.
    static func repairTriggers(
        of schema: StoreSchema, on connection: SQLiteConnection, at url: URL, directory: ObjectDirectory
    ) throws {
        if schema.derivations.isEmpty, schema.foreignDerivations.isEmpty { return }
        let objects = try connection.schemaObjects()
        for derivation in schema.foreignDerivations where derivation.isUnknown {
            if objects.compactMap(TriggerSchema.init).contains(where: derivation.permits) { continue }
            directory.report(
                StoreError.unsupportedDerivation(
                    entityName: derivation.entityName, attributeName: derivation.attributeName, in: url))
        }
        if schema.derivations.allSatisfy({ $0.isKept(by: triggers(of: $0, in: objects)) }) { return }
        let replaced = try connection.transaction(.immediate) {
            try replaceTriggers(of: schema, on: connection, at: url)
        }
        if !replaced.isEmpty { directory.report(StoreError.replacedTriggers(replaced, in: url)) }
    }

    /// Makes the triggers that are missing or not the right ones, and computes their attributes, in the open transaction.
    ///
    /// - Returns: The names of triggers that were not the right ones.
    @discardableResult
    static func replaceTriggers(
        of schema: StoreSchema, on connection: SQLiteConnection, at url: URL
    ) throws -> [String] {
        let objects = try connection.schemaObjects()
        // Somebody may have added others since the store was looked at.
        try refuseCode(in: objects, at: url, schema: schema)
        return try schema.derivations.flatMap { derivation in
            let old = triggers(of: derivation, in: objects)
            if derivation.isKept(by: old) { return [String]() }
            for trigger in old {
                try connection.execute("DROP TRIGGER \(SQLIdentifier.quotedIfNeeded(trigger.name))")
            }
            for statement in derivation.createStatements { try connection.execute(statement) }
            if derivation.wasKept(by: old) { return [] }
            try connection.execute(derivation.computeStatement)
            return old.map(\.name)
        }
    }

    /// Tells of derived attributes that have no triggers, or not the right ones, in a store that is not written to.
    static func reportTriggers(
        of schema: StoreSchema, on connection: SQLiteConnection, at url: URL, directory: ObjectDirectory
    ) throws {
        if schema.derivations.isEmpty { return }
        let objects = try connection.schemaObjects()
        let unmaintained = schema.derivations.filter { derivation in
            let stored = triggers(of: derivation, in: objects)
            return !derivation.isKept(by: stored) && !derivation.wasKept(by: stored)
        }
        if unmaintained.isEmpty { return }
        directory.report(
            StoreError.unreliableDerivations(unmaintained.map { "\($0.entityName).\($0.attributeName)" }, in: url))
    }

    static func triggers(of derivation: DerivationSchema, in objects: [SchemaObject]) -> [TriggerSchema] {
        objects.compactMap(TriggerSchema.init).filter { derivation.ownsTrigger(named: $0.name) }
    }
}

extension StoreSchema {
    /// Returns `true` if an object of a file is an entity table that is exactly as a new store has it.
    func makes(_ object: SchemaObject) -> Bool {
        guard object.kind == .table, let sql = object.sql else { return false }
        return makesTable(named: object.name, createStatement: sql)
    }

    /// A Boolean value indicating whether an object of a file may run code of whoever made it, and has no place in a store.
    func isStrange(_ object: SchemaObject) -> Bool {
        if object.kind == .table, let sql = object.sql {
            return !permitsTable(named: object.name, createStatement: sql)
        }
        if let sql = object.sql, Self.isOfTextIndex(object.name, createStatement: sql) { return false }
        return object.mayRunCode && (TriggerSchema(object).map { !expects($0) } ?? true)
    }
}

extension TriggerSchema {
    /// Nil for other objects than triggers.
    init?(_ object: SchemaObject) {
        guard object.kind == .trigger, let sql = object.sql else { return nil }
        self.init(name: object.name, createStatement: sql)
    }
}
