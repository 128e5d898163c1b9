import DataMonk

/// Where the semantics leave open what comes out, the run ends. What must hold all the same: the two sides of a
/// relationship agree, and who has saved shows what the store holds.
extension GraphSimulation {
    /// After a step whose outcome is open.
    mutating func end(at index: Int) throws {
        isOver = true
        var context = stage.contexts[index]
        // Who belongs to whom is not settled where others have changed it too, before it is saved.
        while saveInEngine(context) == .saved {
            try check()
            guard let parent = context.parent else {
                try compareWithStore(context)
                return
            }
            // What its parent has not saved a child sees when it reads again.
            try context.refreshAllObjects()
            try compare(context, with: parent)
            context = parent
        }
    }

    private func compareWithStore(_ context: ManagedObjectContext) throws {
        let stored = try stage.readAnew(schema)
        try stored.checkSides(schema)
        try GraphReading(context, schema).checkEqual(to: stored, "the store")
    }

    private func compare(_ context: ManagedObjectContext, with parent: ManagedObjectContext) throws {
        try GraphReading(context, schema).checkEqual(to: GraphReading(parent, schema), "the parent")
    }
}

extension GraphReading {
    /// Throws where an object leads to another one that does not know of it.
    func checkSides(_ schema: GraphSchema) throws {
        var pairs: Set<[String]> = []
        func pair(_ relation: GraphRelation, _ owner: Int, _ other: Int) -> [String] {
            ["\(owner)", relation.name, "\(other)"]
        }
        func inversePair(_ relation: GraphRelation, _ owner: Int, _ other: Int) -> [String] {
            ["\(other)", relation.inverseName ?? "", "\(owner)"]
        }
        for (number, row) in rows { for (name, other) in row.toOnes { pairs.insert(["\(number)", name, "\(other)"]) } }
        for (membership, others) in members {
            for other in others { pairs.insert(pair(membership.relation, membership.owner, other)) }
        }
        for (number, row) in rows {
            for relation in schema.relations[row.kind] ?? [] where relation.inverseName != nil {
                let others =
                    members[Membership(owner: number, relation: relation)] ?? row.toOnes[relation.name].map { [$0] }
                    ?? []
                for other in others where !pairs.contains(inversePair(relation, number, other)) {
                    throw Difference("\(number).\(relation.name) leads to \(other), which does not know of it")
                }
            }
        }
    }

    /// Throws what differs from another reading.
    func checkEqual(to other: GraphReading, _ name: String) throws {
        if Set(rows.keys) != Set(other.rows.keys) {
            throw Difference("objects: \(rows.keys.sorted()), \(name) has \(other.rows.keys.sorted())")
        }
        for (number, row) in rows where row != other.rows[number] {
            throw Difference("\(number) is \(row), \(name) has \(other.rows[number].map { "\($0)" } ?? "none")")
        }
        for (membership, others) in members {
            let relation = membership.relation
            let there = other.members[membership] ?? []
            if relation.isOrdered ? others == there : Set(others) == Set(there) { continue }
            throw Difference("\(membership.owner).\(relation.name) is \(others), \(name) has \(there)")
        }
    }
}
