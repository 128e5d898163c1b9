/// **Confined.** The members of an ordered to-many, in order and without duplicates.
///
/// The first searches scan the array. Later ones use an index of positions, and a removal leaves a hole, which the next
/// read of ``elements`` closes. Thus removing n members one by one takes time proportional to n.
///
/// Invariants:
/// 1. There are holes only while there is an index.
/// 2. The index has the position of each object that is not in a hole.
final class OrderedMembers {
    private var objects: [ManagedObject]
    private var holes: Set<Int> = []
    private var places: [ObjectIdentifier: Int]?
    private var searches = 0

    /// The number of scans of the array before an index is built.
    private static let searchesWithoutIndex = 8

    init(_ objects: [ManagedObject] = []) { self.objects = objects }

    /// The members.
    var elements: [ManagedObject] {
        closeHoles()
        return objects
    }

    /// The objects that are retained, removed ones in holes included. Closes no hole, and thus releases none.
    var held: [ManagedObject] { objects }

    func contains(_ object: ManagedObject) -> Bool { place(of: object) != nil }

    /// Appends an object that is not a member.
    func append(_ object: ManagedObject) {
        places?[ObjectIdentifier(object)] = objects.count
        objects.append(object)
    }

    /// Removes an object, if it is a member.
    func remove(_ object: ManagedObject) {
        guard let place = place(of: object) else { return }
        guard places != nil else {
            objects.remove(at: place)
            return
        }
        places?[ObjectIdentifier(object)] = nil
        holes.insert(place)
        // A removed object is retained by its hole.
        if holes.count > objects.count / 2 { closeHoles() }
    }

    /// Replaces all members.
    func replace(by elements: [ManagedObject]) {
        var former = elements
        swap(&former, &objects)
        holes = []
        places = nil
        searches = 0
        // Released last: the `deinit` of an object in a hole may call the context, which reads the members.
        withExtendedLifetime(former) {}
    }

    private func place(of object: ManagedObject) -> Int? {
        if let places { return places[ObjectIdentifier(object)] }
        searches += 1
        if searches <= Self.searchesWithoutIndex { return objects.firstIndex { $0 === object } }
        var made: [ObjectIdentifier: Int] = [:]
        for (place, object) in objects.enumerated() { made[ObjectIdentifier(object)] = place }
        places = made
        return made[ObjectIdentifier(object)]
    }

    /// Lets go of the removed members.
    func closeHoles() {
        if holes.isEmpty { return }
        replace(by: objects.enumerated().filter { !holes.contains($0.offset) }.map(\.element))
    }
}

@available(*, unavailable)
extension OrderedMembers: Sendable {}
