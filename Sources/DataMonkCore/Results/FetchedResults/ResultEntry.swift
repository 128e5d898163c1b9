/// **Confined.** An object in a list, with the values it was sorted by when it was placed.
///
/// The keys are not the object's current values: those change before the list is notified, and an entry must be found where
/// it was placed.
final class ResultEntry {
    let object: ManagedObject
    /// The object's id in snapshots and changes, which is the id it had when it was inserted.
    let id: AnyObjectID
    /// The insertion number, which decides between equal objects: earlier ones come first.
    let number: Int
    var keys: [ManagedValue]

    init(_ object: ManagedObject, number: Int, keys: [ManagedValue]) {
        self.object = object
        id = object.anyObjectID
        self.number = number
        self.keys = keys
    }
}

/// **Confined.** A section of a list, with its entries in order.
struct ResultSection {
    let name: String
    /// A number unique among all sections ever created. It distinguishes a section that stayed from one that was recreated.
    let serial: Int
    var entries: ContiguousArray<ResultEntry> = []

    func isNamed(_ other: String) -> Bool { SectionKey(name) == SectionKey(other) }
}

/// **Value.** A section's name, compared by its bytes as values are in the order, since Swift considers differently
/// composed letters equal.
struct SectionKey: Hashable {
    let name: String

    init(_ name: String) { self.name = name }

    static func == (left: SectionKey, right: SectionKey) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }

    func hash(into hasher: inout Hasher) {
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

@available(*, unavailable)
extension ResultEntry: Sendable {}

@available(*, unavailable)
extension ResultSection: Sendable {}
