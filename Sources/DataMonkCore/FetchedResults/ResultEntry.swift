/// **Confined.** An object in a list, with what it was sorted by when it got its place.
///
/// The keys are not the object's present values: those change before the list hears of it, and an entry must be found
/// where it was put.
final class ResultEntry {
    let object: ManagedObject
    /// What snapshots and changes call the object; its id when it came.
    let id: AnyObjectID
    /// Decides between equals: who came first stands first.
    let number: Int
    var keys: [ManagedValue]

    init(_ object: ManagedObject, number: Int, keys: [ManagedValue]) {
        self.object = object
        id = object.anyObjectID
        self.number = number
        self.keys = keys
    }
}

/// **Confined.** A section of a list and its entries in order.
struct ResultSection {
    let name: String
    /// Another one for each section that was ever made: tells a section that stayed from one that was made anew.
    let serial: Int
    var entries: ContiguousArray<ResultEntry> = []

    func isNamed(_ other: String) -> Bool { SectionKey(name) == SectionKey(other) }
}

/// **Value.** A section's name as what tells it from others: by its bytes, as values are ordered, since Swift takes
/// differently composed letters for equal.
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
