#if Postgres
    import DataMonkCore

    /// **Value.** A fetch, divided between the server and memory.
    ///
    /// ```sql
    /// SELECT t0."_id", … FROM shop.person t0
    /// WHERE t0."_entity" IN (1, 2) AND t0."age" > $1      -- what the server says exactly
    /// ORDER BY t0."name" NULLS FIRST, t0."_id"            -- and if that is the whole condition,
    /// LIMIT $2 OFFSET $3                                  -- and this the whole order
    /// ```
    /// The order and the page follow the rest of the condition, so both are for the server only if nothing is left.
    struct ServerQuery {
        let fetch: ResolvedFetch
        let plan: ServerRowPlan
        private let tableName: String
        private let condition: String
        private let parameters: ServerSQL
        /// The part of the condition that is evaluated in memory; `nil` if the server says all.
        let rest: ResolvedCondition?
        /// The columns of the order; `nil` if the server cannot say it.
        private let order: [String]?

        /// A Boolean value indicating whether the server answers with the page itself.
        var isWhole: Bool { rest == nil && order != nil }

        init(_ fetch: ResolvedFetch, place: ServerEntity, plan: ServerRowPlan, store: ServerStore) {
            self.fetch = fetch
            self.plan = plan
            let compiler = ServerConditionCompiler(
                place, in: store.schema, alias: "t0", storeIndex: store.index)
            let split = fetch.condition.map(compiler.split)
            rest = split?.rest
            parameters = split?.sql ?? ServerSQL()
            tableName = store.schema.namespace.qualified(place.table.name)
            var parts: [String] = []
            if place.sharesTable || !fetch.request.includesSubentities {
                let numbers = fetch.request.includesSubentities ? place.familyNumbers : [place.number]
                parts.append("t0.\"_entity\" IN (\(numbers.map { "\($0)" }.joined(separator: ", ")))")
            }
            if let sql = split?.sql { parts.append(sql.text) }
            condition = parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
            order = Self.order(of: fetch, compiler)
        }

        /// Returns the columns of the order; `nil` if the server cannot say it. `nil` comes before every value.
        private static func order(of fetch: ResolvedFetch, _ compiler: ServerConditionCompiler) -> [String]? {
            var columns: [String] = []
            for term in fetch.sortTerms {
                guard term.comparator == .standard, let column = term.expression.path.flatMap(compiler.orderedColumn)
                else { return nil }
                columns.append(column + (term.ascending ? " NULLS FIRST" : " DESC NULLS LAST"))
            }
            return columns
        }

        // MARK: Statements

        /// The statement for the rows: those of the page, or those of which the rest decides.
        func rowStatement() throws(PostgresValueError) -> PostgresStatement {
            try statement(selecting: plan.selectList(alias: "t0"))
        }

        /// The statement for the rows of all pages: groups and figures are made of them before the page is taken.
        func unpagedRowStatement() throws(PostgresValueError) -> PostgresStatement {
            try statement(selecting: plan.selectList(alias: "t0"), isPaged: false)
        }

        /// The statement for the keys of the page.
        func keyStatement() throws(PostgresValueError) -> PostgresStatement {
            try statement(selecting: "t0.\"_id\", t0.\"_entity\"")
        }

        /// The statement for the number of rows, without regard to the page.
        func countStatement() -> PostgresStatement {
            .prepared("SELECT count(*) FROM \(tableName) t0\(condition)", parameters.parameters)
        }

        private func statement(
            selecting columns: String, isPaged: Bool = true
        ) throws(PostgresValueError) -> PostgresStatement {
            var sql = "SELECT \(columns) FROM \(tableName) t0\(condition)"
            var parameters = parameters.parameters
            let order = (isWhole ? order ?? [] : []) + ["t0.\"_id\""]
            sql += " ORDER BY " + order.joined(separator: ", ")
            if isWhole, isPaged {
                for (keyword, number) in [("LIMIT", fetch.limit), ("OFFSET", fetch.offset == 0 ? nil : fetch.offset)] {
                    guard let number else { continue }
                    try parameters.append(Int64(number))
                    sql += " \(keyword) $\(parameters.count)"
                }
            }
            return .prepared(sql, parameters)
        }
    }

    extension ServerConditionCompiler {
        /// Returns the column by which the server sorts as memory does; `nil` if there is none.
        ///
        /// Decimals count as doubles beside other numbers in memory, and URLs and codable values are compared by more than
        /// their text.
        fileprivate func orderedColumn(_ path: ResolvedPath) -> String? {
            guard case .object = path.start, path.steps.isEmpty, let attribute = path.attribute, !attribute.isCodable
            else { return nil }
            switch attribute.type {
            case .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .date, .uuid:
                return column(of: attribute)
            case .decimal, .uri, .binary, .transformable, .undefined, .objectID, .composite: return nil
            }
        }
    }
#endif
