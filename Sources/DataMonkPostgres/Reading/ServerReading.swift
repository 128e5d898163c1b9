#if Postgres
    import DataMonkCore

    /// **Value.** The statements that read rows of a table by their ids. Their texts do not depend on the number of ids.
    struct ServerReading: Sendable {
        let plan: ServerRowPlan
        private let rowSQL: String
        private let versionSQL: String

        init(_ place: ServerEntity, _ plan: ServerRowPlan, in schema: ServerSchema) {
            self.plan = plan
            let table = schema.namespace.qualified(place.table.name)
            rowSQL = "SELECT \(plan.selectList(alias: "t0")) FROM \(table) t0 WHERE t0.\"_id\" = ANY ($1)"
            versionSQL = "SELECT \"_version\" FROM \(table) WHERE \"_id\" = $1 AND \"_entity\" = $2"
        }

        func rows(withIDs ids: [Int64]) throws(PostgresValueError) -> PostgresStatement {
            try .prepared(rowSQL, ids: ids)
        }

        func version(ofID id: Int64, entityNumber: Int32) throws(PostgresValueError) -> PostgresStatement {
            var statement = try PostgresStatement(versionSQL, values: id, entityNumber)
            statement.isPrepared = true
            return statement
        }
    }

    /// **Value.** The statement that reads a to-many's destinations of several owners: in the order of the owners' ids, then
    /// in that of the relationship. The owner's id follows the columns of the row.
    struct ServerDestinationReading: Sendable {
        /// The columns of the destinations' rows.
        let plan: ServerRowPlan
        private let sql: String

        /// Creates the statement. `nil` for what is not stored.
        init?(_ relationship: Entity.Relationship, _ plan: ServerRowPlan, in schema: ServerSchema) {
            guard let storage = schema.place(of: relationship.entity)?.storage[relationship.slot],
                let destination = schema.place(of: relationship.destination)
            else { return nil }
            self.plan = plan
            let namespace = schema.namespace
            let (source, owner, order): (String, String, String?)
            switch storage {
            case .toMany(let toMany):
                source = "\(namespace.qualified(toMany.tableName)) t0"
                owner = "t0.\(toMany.owner.identifier)"
                order = toMany.order.map { "t0.\($0.identifier)" }
            case .links(let links):
                source = """
                    \(namespace.qualified(links.tableName)) t1 JOIN \(namespace.qualified(destination.table.name)) t0 \
                    ON t0."_id" = t1.\(links.element.identifier)
                    """
                owner = "t1.\(links.owner.identifier)"
                order = links.order.map { "t1.\($0.identifier)" }
            case .none, .value, .composite, .toOne: return nil
            }
            let terms = [owner] + [order.map { $0 + " NULLS FIRST" }].compactMap(\.self) + ["t0.\"_id\""]
            sql = """
                SELECT \(plan.selectList(alias: "t0")), \(owner) FROM \(source) WHERE \(owner) = ANY ($1) \
                ORDER BY \(terms.joined(separator: ", "))
                """
        }

        func statement(ownerIDs: [Int64]) throws(PostgresValueError) -> PostgresStatement {
            try .prepared(sql, ids: ownerIDs)
        }
    }
#endif
