import DataMonkCore

// Paths as columns: a to-one is joined once per SELECT, a to-many opens a SELECT of its own.

extension SelectCompiler {
    /// Returns the position in `scopes` of the SELECT over the objects where a path starts.
    private func scope(of path: ResolvedPath) -> Int {
        switch path.start {
        case .object: 0
        case .variable(let depth): variableScopes[depth]
        case .member: scopes.count - 1
        case .element(let element): scope(of: element.collection)
        }
    }

    /// Returns the alias of the object where a path starts.
    private mutating func start(of path: ResolvedPath) throws(FetchError) -> String {
        guard case .element(let element) = path.start else { return scopes[scope(of: path)].alias }
        return try alias(of: element)
    }

    /// Returns the SQL of the value at the end of a path to a single value.
    mutating func column(_ path: ResolvedPath) throws(FetchError) -> String {
        switch path.terminal {
        case .attribute(let attribute):
            return "\(try alias(after: path.steps[...], of: path)).\(try column(attribute))"
        case .member(let member):
            return member.sql(
                in: "\(try alias(after: path.steps[...], of: path)).\(try column(member.attribute))")
        case .entityName:
            return try entityName(path, at: try alias(after: path.steps[...], of: path))
        case .object:
            guard let last = path.steps.last else { return "\(try start(of: path)).Z_PK" }
            let alias = try alias(after: path.steps.dropLast(), of: path)
            return "\(alias).\(try keyColumn(last))"
        case .count:
            return try subquery(path, keyOnly: true) { _ throws(FetchError) in "COUNT(*)" }
        case .aggregate(let function, let inner):
            return try subquery(path, keyOnly: false) { compiler throws(FetchError) in
                try compiler.operatorValue(function, over: inner)
            }
        }
    }

    /// Returns the name of an object's entity, derived from its number.
    private func entityName(_ path: ResolvedPath, at alias: String) throws(FetchError) -> String {
        let entity = path.steps.last?.destination ?? path.entity
        var cases = ""
        for member in entity.family where !member.isAbstract {
            let name = member.name.replacing("'", with: "''")
            cases += " WHEN \(try schema.storage(of: member).number) THEN '\(name)'"
        }
        return "CASE \(alias).Z_ENT\(cases) END"
    }

    func column(_ attribute: Entity.Attribute) throws(FetchError) -> String {
        if let column = try schema.column(of: attribute) { return column }
        throw FetchError(
            .unsupportedByStore,
            """
            \(attribute.entity.name).\(attribute.name) is transient, so the database has no column for it. Filter and \
            sort the fetched objects by it instead.
            """,
            entityName: attribute.entity.name, keyPath: attribute.name)
    }

    func keyColumn(_ relationship: Entity.Relationship) throws(FetchError) -> String {
        if let storage = try schema.toOne(relationship) { return storage.column.identifier }
        throw notStored(relationship)
    }

    /// Returns the column with the entity number of a to-one relationship, or `nil` if all destinations are of one entity.
    func entityColumn(_ relationship: Entity.Relationship) throws(FetchError) -> String? {
        try schema.toOne(relationship)?.entityColumn?.identifier
    }

    /// Returns the alias of the object behind some to-ones of a path, and adds the joins that are missing.
    mutating func alias(
        after steps: ArraySlice<Entity.Relationship>, of path: ResolvedPath
    ) throws(FetchError) -> String {
        let scope = scope(of: path)
        var alias = try start(of: path)
        for step in steps {
            if let joined = scopes[scope].joined(step, of: alias) {
                alias = joined
                continue
            }
            let joined = nextAlias()
            let key = try keyColumn(step)
            let table = try schema.table(of: step.destination)
            try join("LEFT JOIN \(table) \(joined) ON \(joined).Z_PK = \(alias).\(key)", in: scope)
            scopes[scope].joins.append((alias, step, joined))
            alias = joined
        }
        return alias
    }

    /// Returns the alias of one object of an ordered collection, which is joined like a to-one.
    private mutating func alias(of element: ResolvedElement) throws(FetchError) -> String {
        let collection = element.collection
        let scope = scope(of: collection)
        if let joined = scopes[scope].elements[element] { return joined }
        let opened = try open(collection, keyOnly: true)
        let inner = scopes.removeLast()
        let key = Self.pick(element.place, of: opened, from: inner)
        let joined = nextAlias()
        let table = try schema.table(of: collection.steps.last?.destination ?? collection.entity)
        try join("LEFT JOIN \(table) \(joined) ON \(joined).Z_PK = (\(key))", in: scope)
        scopes[scope].elements[element] = joined
        return joined
    }

    private static func pick(_ place: ResolvedElement.Place, of opened: Opened, from scope: QueryScope) -> String {
        let (direction, offset): (String, Int) =
            switch place {
            case .first: ("", 0)
            case .last: (" DESC", 0)
            case .at(let position): ("", position)
            }
        let order = opened.order.map { "\($0)\(direction), " } ?? ""
        return "SELECT \(opened.key)\(scope.from) WHERE \(opened.link) ORDER BY \(order)\(opened.key)\(direction) "
            + "LIMIT 1 OFFSET \(offset)"
    }

    /// SQLite's limit, which cannot be raised.
    private static let maximumTables = 64

    /// Adds a table to the FROM clause of a SELECT.
    private mutating func join(_ clause: String, in scope: Int) throws(FetchError) {
        scopes[scope].from += " \(clause)"
        scopes[scope].tables += 1
        if scopes[scope].tables <= Self.maximumTables { return }
        throw FetchError(
            .unsupportedByStore,
            """
            The key paths of the request follow so many different relationships that SQLite would have to join more \
            than \(Self.maximumTables) tables. Use fewer or shorter key paths, or fetch in several parts.
            """, entityName: fetch.entity.name)
    }

    private func notStored(_ relationship: Entity.Relationship) -> FetchError {
        FetchError(
            .unsupportedByStore,
            """
            \(relationship.entity.name).\(relationship.name) is transient or refers to objects of another store, so \
            the database has no column for it.
            """,
            entityName: relationship.entity.name, keyPath: relationship.name)
    }
}

extension SelectCompiler {
    /// **Value.** A newly opened SELECT over the objects at the end of a path.
    struct Opened {
        /// The SQL of the key of the object that has the first to-many, in this SELECT and in the enclosing one.
        let owner: (inner: String, outer: String)
        /// The condition that links it to the enclosing SELECT.
        var link: String { "\(owner.inner) = \(owner.outer)" }
        /// The alias of the last object, or of its row in a join table if only its key is needed.
        let alias: String
        /// The SQL of the last object's key.
        let key: String
        /// The SQL of an object's position in the first to-many relationship; `nil` if that is unordered.
        let order: String?
    }

    /// Returns a SELECT of one value over the objects behind a path's steps, in parentheses.
    private mutating func subquery(
        _ path: ResolvedPath, keyOnly: Bool,
        value: (inout SelectCompiler) throws(FetchError) -> String
    ) throws(FetchError) -> String {
        let opened = try open(path, keyOnly: keyOnly)
        let selected = try value(&self)
        return "(SELECT \(selected)\(scopes.removeLast().from) WHERE \(opened.link))"
    }

    /// Appends a condition that is true if one of the values of a path to a collection meets another.
    ///
    /// - Parameters:
    ///   - isAlone: Whether the inner condition does not name the enclosing SELECT's objects. Then the values that meet it
    ///     are found first, by an index if there is one, and not for each of these objects.
    ///   - condition: Receives the SQL of one of the values.
    mutating func exists(
        _ path: ResolvedPath, isAlone: Bool, to text: inout SQLText,
        where condition: (inout SelectCompiler, String, inout SQLText) throws(FetchError) -> Void
    ) throws(FetchError) {
        let opened = try open(path, keyOnly: path.kind.isObject)
        let value =
            switch path.terminal {
            case .attribute(let attribute): "\(opened.alias).\(try column(attribute))"
            case .member(let member): member.sql(in: "\(opened.alias).\(try column(member.attribute))")
            case .entityName: try entityName(path, at: opened.alias)
            case .object, .count, .aggregate: opened.key
            }
        var inner = SQLText()
        try condition(&self, value, &inner)
        text.append(compiled: isAlone ? "\(opened.owner.outer) IN (SELECT \(opened.owner.inner)" : "EXISTS (SELECT 1")
        text.append(compiled: scopes.removeLast().from)
        text.append(compiled: isAlone ? " WHERE " : " WHERE \(opened.link) AND ")
        text.append(inner)
        text.append(")")
    }

    /// Opens a SELECT over the objects behind a path's steps, at least one of which is a to-many.
    ///
    /// - Parameter keyOnly: Whether only the key of the last object is needed, so that a join table suffices.
    mutating func open(_ path: ResolvedPath, keyOnly: Bool) throws(FetchError) -> Opened {
        let steps = path.steps[...]
        guard let first = steps.firstIndex(where: \.isToMany) else {
            preconditionFailure("Only a path over a to-many relationship needs a SELECT of its own")
        }
        let outer = try alias(after: steps[..<first], of: path)
        let last = steps.count - 1
        let start = try source(of: steps[first], keyOnly: keyOnly && first == last)
        scopes.append(QueryScope(alias: start.alias, from: " FROM \(start.table)"))
        let scope = scopes.count - 1
        if let objects = start.join { try join(objects, in: scope) }
        var (alias, key) = (start.alias, start.key)
        for index in steps.indices[(first + 1)...] {
            let step = steps[index]
            if step.isToMany {
                let next = try source(of: step, keyOnly: keyOnly && index == last)
                try join("JOIN \(next.table) ON \(next.ownerKey) = \(alias).Z_PK", in: scope)
                if let objects = next.join { try join(objects, in: scope) }
                (alias, key) = (next.alias, next.key)
            } else if keyOnly, index == last {
                key = "\(alias).\(try keyColumn(step))"
            } else {
                let joined = nextAlias()
                let column = try keyColumn(step)
                let table = try schema.table(of: step.destination)
                try join("LEFT JOIN \(table) \(joined) ON \(joined).Z_PK = \(alias).\(column)", in: scope)
                (alias, key) = (joined, "\(joined).Z_PK")
            }
        }
        // Variables and aggregates start at the last object.
        scopes[scope].alias = alias
        return Opened(owner: (start.ownerKey, "\(outer).Z_PK"), alias: alias, key: key, order: start.order)
    }

    /// **Value.** The table of a to-many relationship's destinations.
    private struct Source {
        /// The table and its alias.
        let table: String
        /// The SQL of the key of the object that has the to-many.
        let ownerKey: String
        /// The join after the table: the objects of a join table.
        var join: String?
        /// The alias of the objects, or of their rows in the join table.
        let alias: String
        let key: String
        /// The position of an object; `nil` if the to-many relationship is unordered.
        let order: String?
    }

    private mutating func source(
        of relationship: Entity.Relationship, keyOnly: Bool
    ) throws(FetchError) -> Source {
        let first = nextAlias()
        switch try schema.storage(of: relationship) {
        case .toMany(let storage):
            return Source(
                table: "\(SQLIdentifier.quotedIfNeeded(storage.tableName)) \(first)",
                ownerKey: "\(first).\(storage.column.identifier)", alias: first, key: "\(first).Z_PK",
                order: storage.orderColumn.map { "\(first).\($0.identifier)" })
        case .manyToMany(let storage):
            let table = "\(SQLIdentifier.quotedIfNeeded(storage.table.name)) \(first)"
            let owner = "\(first).\(SQLIdentifier.quotedIfNeeded(storage.sourceColumn))"
            let key = "\(first).\(SQLIdentifier.quotedIfNeeded(storage.destinationColumn))"
            let order = storage.orderColumn.map { "\(first).\(SQLIdentifier.quotedIfNeeded($0))" }
            if keyOnly { return Source(table: table, ownerKey: owner, alias: first, key: key, order: order) }
            let objects = nextAlias()
            let destination = try schema.table(of: relationship.destination)
            return Source(
                table: table, ownerKey: owner, join: "JOIN \(destination) \(objects) ON \(objects).Z_PK = \(key)",
                alias: objects, key: "\(objects).Z_PK", order: order)
        case .none, .value, .composite, .toOne: throw notStored(relationship)
        }
    }
}
