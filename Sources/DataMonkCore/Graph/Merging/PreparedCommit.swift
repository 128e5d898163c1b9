/// **Confined.** The prepared part of a commit's updates.
final class PreparedCommit {
    let commit: CommitNotice.Commit
    /// The objects whose rows will be exchanged, and their rows.
    private(set) var objects: ContiguousArray<ManagedObject> = []
    private var exchanges: ContiguousArray<RowExchange> = []
    /// The examined updates without an object, or whose object had no row, or one that is not exchanged for another.
    private var others: ContiguousArray<Int32> = []
    private var examined = 0

    init(_ commit: CommitNotice.Commit) {
        self.commit = commit
    }

    var isReady: Bool { examined == commit.changes.updated.count }

    func prepare(_ room: inout Int, in identities: IdentityMap) {
        let end = min(commit.changes.updated.count, examined + room)
        room -= end - examined
        for index in examined..<end {
            let change = commit.changes.updated[index]
            if let object = identities.find(change.key),
                let exchange = RowExchange(object, row: change.row, index: index)
            {
                objects.append(object)
                exchanges.append(exchange)
            } else {
                others.append(Int32(truncatingIfNeeded: index))
            }
        }
        examined = end
    }

    /// Exchanges the rows, and calls a block with the updates to merge otherwise. The former rows are kept, because to
    /// release them takes as long as to exchange them.
    ///
    /// - Returns: `true` if all `objects` have their new rows.
    func exchangeRows(mergeOthers merge: (ChangeSet.ObjectChange) -> Void) -> Bool {
        var isComplete = true
        for place in objects.indices where !exchanges[place].carryOut(for: objects[place]) {
            isComplete = false
            merge(commit.changes.updated[exchanges[place].index])
        }
        forEachOther(merge)
        return isComplete
    }

    /// Calls a block with the updates whose objects are not among `objects`.
    func forEachOther(_ body: (ChangeSet.ObjectChange) -> Void) {
        for index in others { body(commit.changes.updated[Int(index)]) }
        for index in examined..<commit.changes.updated.count { body(commit.changes.updated[index]) }
    }
}

/// **Confined.** The row that an object will get for the one it has.
private struct RowExchange {
    /// The index of the update.
    let index: Int
    private let former: UnsafeRawPointer
    private let row: UnsafeRawPointer
    /// The block of the former row, which is kept so that no other row can have the same address.
    private let formerBlock: RowBlock
    /// The block of the new row, and of the former one once the exchange has been carried out.
    private var block: ObjectStorage?

    /// Returns `nil` if the object does not simply get the row.
    init?(_ object: ManagedObject, row: Row, index: Int) {
        guard let former = object.row, object.draft == nil, !object.isDeleted, let formerBlock = object.block,
            object.home.layout.transientSlots.isEmpty, row.version > RowFormat.version(former)
        else { return nil }
        self.index = index
        self.former = former
        self.formerBlock = formerBlock
        self.row = row.pointer
        block = row.block
    }

    /// Returns `false`, and changes nothing, if the object has other values by now.
    mutating func carryOut(for object: ManagedObject) -> Bool {
        guard object.row == former, object.registration >= 0, !object.isDeleted else { return false }
        if object.objectStorage === formerBlock {
            swap(&object.objectStorage, &block)
        } else if let related = object.objectStorage?.related, related.values === formerBlock {
            swap(&related.values, &block)
        } else {
            return false
        }
        object.row = row
        if object.state.contains(.indexed) { object.noteUnsavedValues() }
        return true
    }
}

@available(*, unavailable)
extension PreparedCommit: Sendable {}

@available(*, unavailable)
extension RowExchange: Sendable {}
