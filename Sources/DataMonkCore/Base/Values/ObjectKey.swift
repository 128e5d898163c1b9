/// **Value.** The identity of the object that a row belongs to: its store, its entity and its primary key, in one word.
///
/// The engine uses keys everywhere: in identity maps, row caches, change sets and the to-one slots of rows. A key is
/// meaningful only within one coordinator; outside the engine, an object is identified by an ``AnyObjectID``.
///
///      63      58 57           46 45                               0
///     +----------+---------------+----------------------------------+
///     |  store   |    entity     |           primary key            |
///     +----------+---------------+----------------------------------+
///
/// - store: The position among the coordinator's stores. 63 marks a temporary key, which an object has until its first
///   save.
/// - entity: The entity's `Entity.index` in the model (at most 4,096 entities).
/// - primary key: A number from 1 to 2^46 - 1. Zero does not occur, so the raw value 0 stands for "no object" in to-one
///   slots.
@usableFromInline
package struct ObjectKey: Hashable, Sendable, Comparable {
    @usableFromInline package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Precondition: Every part is in range. Stores check primary keys when they read them.
    @inlinable
    package init(store: Int, entity: Int, primaryKey: Int64) {
        rawValue =
            UInt64(truncatingIfNeeded: store) &<< 58 | UInt64(truncatingIfNeeded: entity) &<< 46
            | UInt64(truncatingIfNeeded: primaryKey)
    }

    /// Creates the key of an object that is not in a store yet.
    @inlinable
    package init(temporary primaryKey: Int64, entity: Int) {
        self.init(store: Self.temporaryStore, entity: entity, primaryKey: primaryKey)
    }

    /// Creates the key in a to-one slot, or returns `nil` if the slot is empty.
    @inlinable
    package init?(slot: UInt64) {
        if slot == 0 { return nil }
        rawValue = slot
    }

    @usableFromInline package static let temporaryStore = 63
    package static let maximumStores = 63
    package static let maximumEntities = 4_096
    @inlinable package static var maximumPrimaryKey: Int64 { 1 << 46 - 1 }

    @inlinable package var storeIndex: Int { Int(truncatingIfNeeded: rawValue &>> 58) }
    @inlinable package var entityIndex: Int { Int(truncatingIfNeeded: rawValue &>> 46) & 0xFFF }
    @inlinable package var primaryKey: Int64 { Int64(truncatingIfNeeded: rawValue & (1 &<< 46 &- 1)) }
    @inlinable package var isTemporary: Bool { rawValue &>> 58 == 63 }

    @inlinable
    package static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.rawValue < right.rawValue }
}
