extension ChangeSet {
    /// Returns the changes that affect one store. The keys must be permanent.
    func part(in store: Int) -> ChangeSet {
        var part = self
        part.keepOnly(stores: [store])
        return part
    }

    /// Removes the changes that affect other stores. The keys must be permanent.
    mutating func keepOnly(stores: StoreSet) {
        inserted.removeAll { !stores.contains($0.key.storeIndex) }
        updated.removeAll { !stores.contains($0.key.storeIndex) }
        deleted.removeAll { !stores.contains($0.key.storeIndex) }
        links.removeAll { !stores.contains($0.owner.storeIndex) }
        keepOtherChanges(in: stores)
    }

    /// Throws an error for links from one store into another. The keys must be permanent.
    func requireLinksWithinStores(model: ManagedObjectModel, layouts: [EntityLayout]) throws {
        for change in inserted + updated {
            let layout = layouts[change.key.entityIndex]
            for slot in layout.toOneSlots {
                guard let key = ObjectKey(slot: RowFormat.word(in: change.row.pointer, at: slot)) else { continue }
                if key.storeIndex != change.key.storeIndex {
                    throw linkError(of: layout.entity.properties[slot].name, in: layout.entity)
                }
            }
        }
        for link in links {
            let others = (link.added + (link.order ?? [])).map(\.storeIndex)
            if others.contains(where: { $0 != link.owner.storeIndex }) {
                throw linkError(of: link.relationship.name, in: link.relationship.entity)
            }
        }
    }

    private func linkError(of name: String, in entity: Entity) -> SaveError {
        SaveError(
            .linkBetweenStores,
            """
            \(entity.name).\(name) refers to an object of another store, which cannot be stored. Put both entities \
            into one store's configuration, or store the other object's URI in an attribute.
            """, entityName: entity.name)
    }
}
