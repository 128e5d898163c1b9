import DataMonkCore

/// The checks of rows and values.
extension StoreSchema {
    func rowChecks(of table: TableSchema) -> [RowCheck] {
        let name = table.root.name
        let numbers = numbering.entities.filter { $0.root === table.root && !$0.isAbstract }
            .map { "\(numbering.number(of: $0))" }
        let maximum = ObjectKey.maximumPrimaryKey
        let isUnknown = "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(numbers.joined(separator: ", ")))"
        let isUnversioned = "typeof(t.Z_OPT) <> 'integer' OR t.Z_OPT < 1"
        func select(_ condition: String) -> String {
            "SELECT t.Z_PK FROM \(table.identifier) t WHERE \(condition) ORDER BY t.Z_PK"
        }
        return [
            RowCheck(
                .unusableKey, entityName: name, table: table.name,
                select: select("t.Z_PK NOT BETWEEN 1 AND \(maximum)"),
                problem: "the primary key is not between 1 and \(maximum)"),
            RowCheck(
                .unknownEntity, entityName: name, table: table.name, select: select(isUnknown),
                problem: "the entity number (Z_ENT) is none of those that have objects in this table"),
            RowCheck(
                .wrongRowVersion, entityName: name, table: table.name, select: select(isUnversioned),
                problem: "the version (Z_OPT) is not a positive number, so that every save would be a conflict",
                repair: .init(
                    ["UPDATE \(table.identifier) AS t SET Z_OPT = 1 WHERE \(isUnversioned)"], "sets it to 1")),
        ]
    }

    func valueChecks(of schema: EntitySchema) -> [RowCheck] {
        schema.entity.declaredAttributes.flatMap { attribute -> [RowCheck] in
            switch schema.storage[attribute.slot] {
            case .value(let column): [valueCheck(attribute, column, schema)].compactMap(\.self)
            case .composite(let columns):
                zip(attribute.elements, columns).compactMap { valueCheck($0, $1, schema) }
            case .none, .toOne, .toMany, .manyToMany: []
            }
        }
    }

    private func valueCheck(
        _ attribute: Entity.Attribute, _ column: ColumnSchema, _ schema: EntitySchema
    ) -> RowCheck? {
        guard let isWrong = attribute.damage(in: "t.\(column.identifier)") else { return nil }
        let table = schema.table
        let condition = "\(isKind(of: schema, "t")) AND \(isWrong.condition)"
        return RowCheck(
            .wrongValue, entityName: schema.entity.name, propertyName: attribute.keyPath, table: table.name,
            select: "SELECT t.Z_PK FROM \(table.identifier) t WHERE \(condition) ORDER BY t.Z_PK",
            problem: "\(attribute.keyPath) is not \(isWrong.expectation)",
            sacrifice: .init(
                ["UPDATE \(table.identifier) AS t SET \(column.identifier) = NULL WHERE \(condition)"],
                "leaves the value out", losingCount: 1))
    }

    func uniquenessChecks(of schema: EntitySchema) -> [RowCheck] {
        schema.entity.description.uniquenessConstraints.compactMap { names in
            let columns = names.compactMap { keyColumn(ofPropertyNamed: $0, schema) }
            guard columns.count == names.count, let last = columns.last else { return nil }
            let table = schema.table
            let list = columns.joined(separator: ", ")
            let areSet = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            let areSame = columns.map { "t.\($0) = g.\($0)" }.joined(separator: " AND ")
            let groups = """
                (SELECT \(list), min(Z_PK) AS first FROM \(table.identifier) WHERE \(areSet) GROUP BY \(list) \
                HAVING count(*) > 1)
                """
            let others = "SELECT t.Z_PK FROM \(table.identifier) t JOIN \(groups) g ON \(areSame)"
            return RowCheck(
                .duplicateValues, entityName: schema.entity.name, propertyName: names.joined(separator: ","),
                table: table.name, select: "\(others) ORDER BY t.Z_PK",
                problem: "another row has the same \(names.joined(separator: " and ")), which must be unique",
                sacrifice: .init(
                    [
                        """
                        UPDATE \(table.identifier) SET \(last) = NULL \
                        WHERE Z_PK IN (\(others) WHERE t.Z_PK > g.first)
                        """
                    ], "leaves \(names[names.count - 1]) out of all but the first of them", losingCount: 1))
        }
    }

    private func keyColumn(ofPropertyNamed name: String, _ schema: EntitySchema) -> String? {
        switch schema.storage(ofPropertyNamed: name) {
        case .value(let column): column.identifier
        case .toOne(let storage): storage.column.identifier
        case .composite, .toMany, .manyToMany, .some(.none), nil: nil
        }
    }
}

extension Entity.Attribute {
    /// Returns the condition for a column whose value cannot be one of this attribute, and a noun phrase for what it has to
    /// be instead. `nil` if any value may be one.
    fileprivate func damage(in column: String) -> (condition: String, expectation: String)? {
        func isNone(of types: String) -> String { "typeof(\(column)) NOT IN ('null', \(types))" }
        func isBeyond(_ range: ClosedRange<Int64>) -> String {
            "(\(isNone(of: "'integer'")) OR \(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound))"
        }
        if StoredColumn.Form(self) == .externalData {
            let isFile = "substr(\(column), 1, 1) = x'02' AND length(\(column)) BETWEEN 37 AND 38"
            let isSound = "typeof(\(column)) = 'blob' AND (substr(\(column), 1, 1) = x'01' OR \(isFile))"
            return ("\(column) IS NOT NULL AND NOT (\(isSound))", "data, and no name of a file with data either")
        }
        switch type {
        case .integer16: return (isBeyond(Int64(Int16.min)...Int64(Int16.max)), "an integer of 16 bits")
        case .integer32: return (isBeyond(Int64(Int32.min)...Int64(Int32.max)), "an integer of 32 bits")
        case .integer64, .boolean: return (isNone(of: "'integer'"), "an integer")
        case .double, .float: return (isNone(of: "'integer', 'real'"), "a number")
        case .date: return (isNone(of: "'integer', 'real'"), "a number of seconds")
        case .decimal: return (isNone(of: "'integer', 'real', 'text'"), "a number")
        case .string, .uri: return (isNone(of: "'text'"), "text")
        case .uuid:
            return ("(\(isNone(of: "'blob'")) OR length(\(column)) <> 16)", "a UUID of 16 bytes")
        case .binary, .transformable: return (isNone(of: "'blob', 'text'"), "data")
        case .undefined, .objectID, .composite: return nil
        }
    }
}
