extension ConflictResolver {
    /// Returns a conflict that a store has detected, with the values needed to decide about it; `nil` if the context does
    /// not know the object.
    func conflict(_ stored: StoredVersion) -> MergeConflict? {
        guard let object = identities.find(stored.key) else { return nil }
        let base = object.startRow
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
                    let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: relationship.slot))
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
