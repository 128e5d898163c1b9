/// **Confined.** A collection of any type, which a cast to ``TypedCollection`` finds.
@usableFromInline
class AnyTypedCollection {
    @usableFromInline
    init() {}
}

/// **Confined.** A collection of objects of one class, as a to-many returns it. Immutable.
///
/// A class, because casting an object takes a comparison, and casting a collection from `Any` ten times as long.
@usableFromInline
final class TypedCollection<Collection>: AnyTypedCollection {
    @usableFromInline let collection: Collection

    @usableFromInline
    init(_ collection: Collection) { self.collection = collection }
}

@available(*, unavailable)
extension AnyTypedCollection: Sendable {}
