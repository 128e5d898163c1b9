public import DataMonkCore
import DataMonkSQLite

// Core Data's names are not obvious: `Person.lastName` is `ZPERSON.ZLASTNAME`, and a sub-entity's rows are in the table of
// its root.

extension SQLDatabase {
    /// Returns the name of the table with the objects of a class, quoted if it must be.
    ///
    ///     let people = try database.table(of: Person.self)
    ///     try database.rows("SELECT * FROM \(people)")
    ///
    /// The table of an entity is that of its root, and has the rows of all entities below it: compare `Z_ENT` with
    /// ``entityNumbers(of:)`` to tell them apart.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownEntity` if the store does not have the entity;
    ///   ``SQLError`` if the database has ended.
    public func table(of type: ManagedObject.Type) throws -> String { try names(of: type).table }

    /// Returns the numbers that the rows of a class have in `Z_ENT`: its entity's and those of its sub-entities.
    ///
    ///     let monks = try database.entityNumbers(of: Monk.self).map(String.init).joined(separator: ", ")
    ///     try database.rows("SELECT * FROM ZPERSON WHERE Z_ENT IN (\(monks))")
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownEntity` if the store does not have the entity;
    ///   ``SQLError`` if the database has ended.
    public func entityNumbers(of type: ManagedObject.Type) throws -> [Int] {
        Array(try names(of: type).entityNumbers)
    }

    /// Returns the name of a property's column, quoted if it must be. For a to-one relationship it is the column with the
    /// primary key of the destination.
    ///
    ///     let name = try database.column(of: \Person.name)
    ///     try database.rows("SELECT \(name) FROM ZPERSON")
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownKey` if the class has no such property, `invalidKeyPath` if
    ///   it has no column of its own, or `unknownEntity` if the store does not have the entity; ``SQLError`` if the database
    ///   has ended.
    public func column<Object: ManagedObject>(of key: PartialKeyPath<Object>) throws -> String {
        try column(of: KeyNames.name(of: key, in: Object.self) ?? KeyNames.unnamed(key), in: Object.self)
    }

    /// Returns the name of a property's column by the property's name; `"address.city"` is an element of a composite one.
    ///
    /// - Throws: The errors of ``column(of:)``.
    public func column(of name: String, in type: ManagedObject.Type) throws -> String {
        let names = try names(of: type)
        switch names.column(of: name) {
        case .named(let column): return column
        case .unknown: throw FetchError.unknownKey(name, of: names.entity)
        case .notOwn: throw FetchError.noColumnOfItsOwn(name, of: names.entity)
        }
    }

    /// Returns the id of the object in a row, which has the columns `Z_PK` and `Z_ENT` of the object's table.
    ///
    ///     let ids = try database.rows("SELECT Z_PK, Z_ENT FROM ZPERSON WHERE ZAGE > 17")
    ///         .map { try database.objectID(of: Person.self, in: $0) }
    ///
    /// `use(_:)` of an update or a main context returns the object of an id.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `unknownKey` if the row lacks one of the columns, or `wrongClass`
    ///   if the object is of another class; ``StoreError`` if the columns hold no entity's number or no primary key;
    ///   ``SQLError`` if the database has ended.
    public func objectID<Object: ManagedObject>(of type: Object.Type, in row: SQLRow) throws -> ObjectID<Object> {
        let names = try names(of: type)
        let number = try row["Z_ENT", as: Int.self] ?? 0
        let key = try row["Z_PK", as: Int64.self] ?? 0
        let id = try withSession { try $0.objectID(entityNumber: number, primaryKey: key) }
        guard names.entityNumbers.contains(number) else { throw FetchError.wrongClass(type, of: id) }
        return ObjectID(id)
    }

    private func names(of type: ManagedObject.Type) throws -> SQLNames {
        guard let names = try withSession({ $0.names(of: type) }) else { throw FetchError.notInStore(type) }
        return names
    }
}

extension FetchError {
    fileprivate static func notInStore(_ type: ManagedObject.Type) -> FetchError {
        FetchError(
            .unknownEntity,
            "The store has no table for \(type). Name a class of the model whose entity is in the store's configuration."
        )
    }

    fileprivate static func unknownKey(_ name: String, of entity: Entity) -> FetchError {
        FetchError(
            .unknownKey, "\(entity.name) has no property \"\(name)\". Name a persistent property of the class.",
            entityName: entity.name, keyPath: name)
    }

    fileprivate static func noColumnOfItsOwn(_ name: String, of entity: Entity) -> FetchError {
        FetchError(
            .invalidKeyPath,
            """
            \(entity.name).\(name) has no column of its own. Name an attribute, an element of a composite one or a to-one \
            relationship; a to-many is kept in the rows of its destinations or in a table of links.
            """,
            entityName: entity.name, keyPath: name)
    }

    fileprivate static func wrongClass(_ type: ManagedObject.Type, of id: AnyObjectID) -> FetchError {
        FetchError(
            .wrongClass, "The row is of a \(id.entityName), which is no \(type). Ask for an id of its class.",
            entityName: id.entityName, objectID: id)
    }
}
