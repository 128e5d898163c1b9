/// **Confined.** An object as conditions and selections read it: a managed object, or a row of the in-memory store.
package protocol PropertyReader {
    /// The object's own entity, which may be a sub-entity of the fetched one.
    var entity: Entity { get }
    /// Who the object is.
    var objectKey: ObjectKey { get }

    /// The value of the attribute in a slot.
    func value(at slot: Int) -> ManagedValue
    /// The object that the to-one in a slot leads to.
    func toOne(_ slot: Int) -> (any PropertyReader)?
    /// Who the to-one in a slot leads to, without a look at that object.
    func toOneKey(_ slot: Int) -> ObjectKey?
    /// The objects that the to-many in a slot leads to.
    func toMany(_ slot: Int) -> [any PropertyReader]
}

extension PropertyReader {
    package func toOneKey(_ slot: Int) -> ObjectKey? { toOne(slot)?.objectKey }
}
