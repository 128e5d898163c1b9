import DataMonk

/// Undo as plain values: a step is a graph before and a graph after, and taking it back makes what differs between them
/// what it was before.
extension ReferenceContext {
    /// Something is about to be changed by the user.
    mutating func beginEvent() {
        if history != nil, eventStart == nil { eventStart = view }
    }

    /// What has been changed since is one step.
    mutating func endEvent() {
        guard let start = eventStart else { return }
        eventStart = nil
        let step = ReferenceStep(start, view, schema)
        if step.difference.isEmpty { return }
        history?.undoSteps.append(step)
        history?.redoSteps = []
    }

    /// - Parameter newIdentity: what an object is called from now on that has gone from the store.
    mutating func undo(_ newIdentity: (Int) -> Int) {
        endEvent()
        guard let step = history?.undoSteps.popLast() else { return }
        if let made = takeBack(step, newIdentity) { history?.redoSteps.append(made) }
    }

    mutating func redo(_ newIdentity: (Int) -> Int) {
        endEvent()
        guard let step = history?.redoSteps.popLast() else { return }
        if let made = takeBack(step, newIdentity) { history?.undoSteps.append(made) }
    }

    /// - Returns: what was done, as a step; nil if nothing.
    private mutating func takeBack(_ step: ReferenceStep, _ newIdentity: (Int) -> Int) -> ReferenceStep? {
        let start = view
        let gone = deleted
        let names = bringBack(step, newIdentity)
        history?.rename(names, schema)
        restoreRows(step, names, except: Set(gone.keys).subtracting(deleted.keys))
        remove(step)
        restoreLinks(step, names)
        // Where nothing is left to save an object follows the others again.
        for identity in step.difference.changed where drafts[identity].map({ $0.base == $0.now }) == true {
            drafts[identity] = nil
        }
        let made = ReferenceStep(start, view, schema)
        return made.difference.isEmpty ? nil : made
    }

    /// Every object is there that was there before.
    private mutating func bringBack(_ step: ReferenceStep, _ newIdentity: (Int) -> Int) -> [Int: Int] {
        var names: [Int: Int] = [:]
        for identity in step.difference.rows.sorted() {
            guard var row = step.before.rows[identity], !view.isVisible(identity) else { continue }
            if let base = deleted.removeValue(forKey: identity) {
                row.version = base.version
                drafts[identity] = Draft(base: base, now: row)
            } else {
                let name = departed.contains(identity) ? identity : newIdentity(identity)
                if name != identity { names[identity] = name }
                departed.remove(identity)
                row.version = 0
                inserted[name] = row
            }
        }
        return names
    }

    /// - Parameter whole: objects that are what they were already.
    private mutating func restoreRows(_ step: ReferenceStep, _ names: [Int: Int], except whole: Set<Int>) {
        let rows = view.rows
        for identity in step.difference.rows.subtracting(whole) {
            guard let before = step.before.rows[identity] else { continue }
            let after = step.after.rows[identity]
            change(names[identity] ?? identity) { row in
                for (key, value) in before.values where after?.values[key] != value { row.values[key] = value }
                for key in Set(before.toOnes.keys).union(after?.toOnes.keys.map(\.self) ?? []) {
                    if let after, after.toOnes[key] == before.toOnes[key] { continue }
                    let destination = before.toOnes[key].map { names[$0] ?? $0 }
                    row.toOnes[key] = destination.flatMap { rows[$0] == nil ? nil : $0 }
                }
            }
        }
        // Who went on leading to one that was gone leads to it again, if the other side can tell.
        for (identity, row) in rows {
            for relation in schema.relations[row.kind] ?? [] where relation.inverseName != nil && !relation.isToMany {
                guard let name = row.toOnes[relation.name].flatMap({ names[$0] }) else { continue }
                change(identity) { $0.toOnes[relation.name] = name }
            }
        }
    }

    /// Objects go that were not there before.
    private mutating func remove(_ step: ReferenceStep) {
        for identity in step.difference.rows where step.before.rows[identity] == nil && view.isVisible(identity) {
            leave(identity)
        }
    }

    private mutating func restoreLinks(_ step: ReferenceStep, _ names: [Int: Int]) {
        for link in step.difference.links {
            let isThere = step.before.links.contains(link)
            let link = link.renamed(names)
            linkChanges[link] = base.links.contains(link) == isThere ? nil : isThere
        }
        var orders = step.difference.orders
        for (identity, row) in step.before.rows where step.after.rows[identity] == nil {
            for relation in schema.relations[row.kind] ?? [] where relation.isOrdered {
                orders.insert(ReferenceOrder(name: relation.name, owner: identity))
            }
        }
        for order in orders {
            guard let row = step.before.rows[order.owner], let relation = schema.relation(row.kind, order.name) else {
                continue
            }
            let owner = names[order.owner] ?? order.owner
            let wanted = step.before.list(order.owner, relation).map { names[$0] ?? $0 }
            let now = view.list(owner, relation)
            orderChanges[ReferenceOrder(name: order.name, owner: owner)] =
                wanted.filter(now.contains) + now.filter { !wanted.contains($0) }
        }
    }
}
