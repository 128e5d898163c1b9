#if Postgres
    import DataMonkCore

    extension ServerReader {
        func plan(of fetch: ResolvedFetch, showsValues: Bool) throws -> FetchPlan {
            var plan = FetchPlan()
            guard let query = store.query(fetch) else { return plan }
            var statement =
                switch fetch.request.resultType {
                case .objectIDs where query.isWhole: try query.keyStatement()
                case .count where query.rest == nil: query.countStatement()
                default: try query.rowStatement()
                }
            plan.statement = statement.sql
            statement.sql = "EXPLAIN " + statement.sql
            statement.isPrepared = false
            for line in try run(statement, of: fetch).column(of: String.self) { plan.add(line) }
            if query.rest != nil { plan.steps.append("Evaluate the rest of the condition in memory") }
            if fetch.request.resultType == .dictionaries {
                plan.steps.append("Compute, group and sort rows of values in memory")
            } else if !query.isWhole, fetch.request.resultType != .count, !fetch.sortTerms.isEmpty {
                plan.steps.append("Sort the objects in memory")
                plan.sortsResults = true
            }
            return plan
        }
    }

    extension FetchPlan {
        /// Adds a line of PostgreSQL's plan: `  ->  Index Scan using person_name_index on person t0  (cost=…)`.
        fileprivate mutating func add(_ line: String) {
            steps.append(line)
            let words = line.split(separator: " ")
            let index = words.firstIndex(of: "using").flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
            if line.contains("Index"), let index, !indexNames.contains(index) { indexNames.append(index) }
            if line.contains("Seq Scan on") { readsEveryObject = true }
            if words.first == "Sort" || words.starts(with: ["->", "Sort"]) { sortsResults = true }
        }
    }
#endif
