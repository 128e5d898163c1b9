/// **Value.** A conflict of one object: it was changed here and, since it was read, by others; or another object has its
/// unique values; or the other end of one of its relationships does not exist.
///
/// | conflict | `constraint` | `relationship` | `isDeletion` |
/// |---|---|---|---|
/// | others have changed the object, or deleted it | empty | nil | either |
/// | another object has its unique values | their names | nil | false |
/// | it was set to objects that others have deleted | empty | its name | false |
/// | a one-to-one of it was changed, and others have linked the other side | empty | its name | false |
/// | it is deleted, and others have come to refer to it | empty | its name | true |
///
/// Snapshots contain attributes and to-ones (as ids), by name. To-manys have no conflicts.
public struct MergeConflict: Sendable {
    /// The object.
    public let objectID: AnyObjectID
    /// The properties whose values another object has; empty for a version conflict.
    public let constraint: [String]
    /// The relationship that would lead to an object that does not exist, or of a one-to-one that does not lead back; nil for
    /// other conflicts. Of a deleted object, the
    /// one whose delete rule has not reached the objects that refer to it.
    public let relationship: String?
    /// The objects at the other end of `relationship`: those that are gone, those that a delete rule has not reached, or those
    /// that do not lead back.
    public let otherObjectIDs: [AnyObjectID]
    /// The object in the store: the same object for a version conflict, and the object that has the values for a conflict
    /// of unique values. Its id is temporary if it is new in the same save.
    public let storedObjectID: AnyObjectID
    /// Indicates whether the object is to be deleted.
    public let isDeletion: Bool
    /// The version that the changes started from; 0 for a new object.
    public let baseVersion: Int64
    /// The version in the store; `nil` if the object was deleted there, and for a new one.
    public let storedVersion: Int64?
    /// The unsaved values that differ from the values that they started from; for a new object, the values that were set.
    public let changedValues: [String: ManagedValue]
    /// The values that the changes started from; empty for a new object.
    public let objectSnapshot: [String: ManagedValue]
    /// The values that the coordinator knew when the conflict was detected: the newest ones, for a commit of another
    /// context. `nil` if it knew none.
    public let cachedSnapshot: [String: ManagedValue]?
    /// The values in the store, if the coordinator did not know them because another process wrote them. `nil` if it did,
    /// and if the object was deleted.
    public let persistedSnapshot: [String: ManagedValue]?
    /// The values in the store, whatever their source; empty if the object was deleted there.
    public let storedValues: [String: ManagedValue]
}

extension ConflictResolver {
    /// Returns a conflict that a store has detected, with the values needed to decide about it; `nil` if the context does
    /// not know the object.
    func conflict(_ stored: StoredVersion) -> MergeConflict? {
        guard let object = identities.find(stored.key) else { return nil }
        let base = object.storedRow
        let holder = stored.duplicate?.holder ?? stored.key
        // For a conflict of references, the object itself is unchanged in the store.
        let own = stored.reference == nil ? stored.row : base
        let row = stored.duplicate.map { $0.row ?? currentRow(of: $0.holder) } ?? own
        let values = row.map { self.values(in: $0, holder) } ?? [:]
        let cached = newestCachedRow(of: holder)
        let isCached = row != nil && cached?.version == row?.version
        return MergeConflict(
            objectID: object.anyObjectID, constraint: stored.duplicate?.constraint ?? [],
            relationship: stored.reference?.relationship.name,
            otherObjectIDs: (stored.reference?.others ?? []).map { key in
                identities.find(key)?.anyObjectID ?? AnyObjectID(key: key, directory: context.directory)
            },
            storedObjectID: identities.find(holder)?.anyObjectID
                ?? AnyObjectID(key: holder, directory: context.directory),
            isDeletion: object.state.contains(.deleted), baseVersion: base?.version ?? 0,
            storedVersion: row?.version, changedValues: object.changedValues().filter { !$0.value.isList },
            objectSnapshot: base.map { self.values(in: $0, object.key) } ?? [:],
            cachedSnapshot: cached.map { self.values(in: $0, holder) },
            persistedSnapshot: row == nil || isCached ? nil : values, storedValues: values)
    }

    private func newestCachedRow(of key: ObjectKey) -> Row? {
        if key.isTemporary { return nil }
        guard case .row(let row) = coordinator.cachedRow(for: key, at: coordinator.publishedGeneration) else {
            return nil
        }
        return row
    }

    /// Returns the row of an object that the same save writes.
    private func currentRow(of key: ObjectKey) -> Row? {
        guard let object = identities.find(key), let draft = object.draft else {
            return identities.find(key)?.storedRow
        }
        return object.home.layout.seal(draft, version: draft.base?.version ?? 0, in: &context.arena)
    }

    private func values(in row: Row, _ key: ObjectKey) -> [String: ManagedValue] {
        let layout = context.directory.layout(of: key)
        let properties = layout.entity.properties.filter { $0.relationship?.isToMany != true && !$0.isTransient }
        return Dictionary(
            uniqueKeysWithValues: properties.map { property in
                switch property {
                case .attribute(let attribute):
                    return (attribute.name, attribute.value(in: row.pointer, of: identities.find(key)))
                case .relationship(let relationship):
                    let key = ObjectKey(slot: RowFormat.word(row.pointer, relationship.slot))
                    let id = key.map {
                        identities.find($0)?.anyObjectID ?? AnyObjectID(key: $0, directory: context.directory)
                    }
                    return (relationship.name, id.map(ManagedValue.object) ?? .null)
                }
            })
    }
}

extension ManagedValue {
    /// Indicates whether this is the value of a to-many.
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
