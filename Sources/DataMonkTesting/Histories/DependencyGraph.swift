/// **Value.** The order that dependencies impose on the transactions of a history.
struct DependencyGraph {
    private let count: Int
    /// For each transaction, the ones that depend on it because they appended after it or read its appends.
    private var followers: [Set<Int>]
    /// For each transaction, the ones whose appends it did not see.
    private var missed: [Set<Int>]

    init(_ transactions: [ListAppendHistory.Transaction], order: AppendOrder) {
        count = transactions.count
        followers = Array(repeating: [], count: transactions.count)
        missed = followers
        for (list, values) in order.lists {
            let writers = values.compactMap { order.writers[list]?[$0] }
            for (earlier, later) in zip(writers, writers.dropFirst()) { follow(earlier, with: later) }
        }
        // An append that nobody has read comes after all those that were read.
        for (list, writers) in order.writers {
            let known = order.lists[list] ?? []
            let unread = writers.filter { !known.contains($0.key) }.map(\.value)
            guard !unread.isEmpty else { continue }
            if let last = known.last, let writer = writers[last] { for index in unread { follow(writer, with: index) } }
            for (reader, transaction) in transactions.enumerated() {
                guard let seen = transaction.reads[list], seen.count == known.count else { continue }
                for index in unread { miss(reader: reader, writer: index) }
            }
        }
        for (reader, transaction) in transactions.enumerated() {
            for (list, seen) in transaction.reads {
                if let last = seen.last, let writer = order.writers[list]?[last] { follow(writer, with: reader) }
                let known = order.lists[list] ?? []
                if seen.count < known.count, let writer = order.writers[list]?[known[seen.count]] {
                    miss(reader: reader, writer: writer)
                }
            }
        }
    }

    private mutating func follow(_ earlier: Int, with later: Int) {
        if earlier != later { followers[earlier].insert(later) }
    }

    private mutating func miss(reader: Int, writer: Int) {
        if reader != writer { missed[reader].insert(writer) }
    }

    /// Returns the cycles that an isolation level forbids, each described by its transactions.
    func circles(under isolation: ListAppendHistory.Isolation) -> [String] {
        let edges: [Set<Int>]
        switch isolation {
        case .serializable:
            edges = zip(followers, missed).map { $0.union($1) }
        case .snapshot:
            // Cycles with two adjacent misses are allowed. Every other cycle remains one if each miss is merged with the
            // dependency before it.
            edges = followers.map { later in later.reduce(into: later) { $0.formUnion(missed[$1]) } }
        }
        return Self.components(of: edges).filter { component in
            component.count > 1 || edges[component[0]].contains(component[0])
        }.map { component in
            "transactions \(component.sorted().map(String.init).joined(separator: ", ")) each come before the other"
        }
    }

    /// Returns the strongly connected components, by Tarjan's algorithm without recursion.
    private static func components(of edges: [Set<Int>]) -> [[Int]] {
        var number = [Int?](repeating: nil, count: edges.count)
        var low = [Int](repeating: 0, count: edges.count)
        var isOnStack = [Bool](repeating: false, count: edges.count)
        var stack: [Int] = []
        var found: [[Int]] = []
        var next = 0
        for root in edges.indices where number[root] == nil {
            var path: [(node: Int, rest: ArraySlice<Int>)] = []
            func enter(_ node: Int) {
                (number[node], low[node]) = (next, next)
                next += 1
                stack.append(node)
                isOnStack[node] = true
                path.append((node, Array(edges[node])[...]))
            }
            enter(root)
            while let (node, _) = path.last {
                if let target = path[path.count - 1].rest.popFirst() {
                    if let seen = number[target] {
                        if isOnStack[target] { low[node] = min(low[node], seen) }
                    } else {
                        enter(target)
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
                guard low[node] == number[node] else { continue }
                var component: [Int] = []
                repeat {
                    component.append(stack.removeLast())
                    isOnStack[component[component.count - 1]] = false
                } while component[component.count - 1] != node
                found.append(component)
            }
        }
        return found
    }
}
