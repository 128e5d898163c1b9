import DataMonkCore
import DataMonkSQL

extension SQLiteReader {
    func plan(of fetch: ResolvedFetch, showsValues: Bool) throws -> FetchPlan {
        let compiler = store.plans.compiler
        let query =
            switch fetch.request.resultType {
            case .managedObjects: try compiler.objects(fetch)
            case .objectIDs: try compiler.keys(fetch)
            case .count: try compiler.count(fetch)
            case .dictionaries: try compiler.members(fetch) ?? compiler.values(fetch)
            }
        var plan = FetchPlan()
        plan.statement = query.sql
        if showsValues { plan.constants = query.bindings.map(\.managedValue) }
        try translating {
            try connection.withStatement("EXPLAIN QUERY PLAN \(query.sql)") { statement in
                try statement.bind(query.bindings)
                var depths: [Int64: Int] = [:]
                while try statement.step() {
                    let depth = (depths[statement.int64(at: 1)] ?? -1) + 1
                    depths[statement.int64(at: 0)] = depth
                    plan.add(statement.text(at: 3) ?? "", depth: depth)
                }
            }
        }
        return plan
    }
}

extension FetchPlan {
    /// Adds a line of the query plan: `SEARCH t0 USING INDEX Z_Person_byName (ZNAME=?)`.
    fileprivate mutating func add(_ line: String, depth: Int) {
        steps.append(String(repeating: "  ", count: depth) + line)
        let words = line.split(separator: " ")
        let index = words.firstIndex(of: "INDEX").flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
        if let index, !indexNames.contains(index) { indexNames.append(index) }
        if words.starts(with: ["SCAN", "t0"]) {
            // An index that provides the order yields the first results at once.
            readsEveryObject = index == nil || words.contains("COVERING")
        }
        if line.hasPrefix("USE TEMP B-TREE FOR"), line.hasSuffix("ORDER BY") || line.hasSuffix("GROUP BY") {
            sortsResults = true
        }
    }
}

extension SQLBinding {
    fileprivate var managedValue: ManagedValue {
        switch self {
        case .null: .null
        case .integer(let number): .int(number)
        case .real(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let data): .data(data)
        }
    }
}
