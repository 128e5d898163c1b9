extension ObjectChanges {
    /// How many objects a slice names at most: what an observer on the main actor does with them is to be shorter than a
    /// frame.
    package static let sliceCount = 256

    /// The same in parts of at most ``sliceCount`` objects, to be told one a turn. What there is no end of is said by the
    /// first.
    package var slices: [ObjectChanges] {
        if weight <= Self.sliceCount { return [self] }
        var cut = SliceCutter(directory: directory)
        cut.slice.isEverything = isEverything
        cut.add(inserted, \.inserted)
        cut.add(Array(insertedElsewhere), \.insertedElsewhere)
        cut.add(updated, \.updated)
        cut.add(Array(updatedElsewhere), \.updatedElsewhere)
        cut.add(untold, \.untold)
        cut.add(deleted, \.deleted)
        cut.add(refreshed, \.refreshed)
        cut.add(invalidated, \.invalidated)
        return cut.finish()
    }

    /// How much there is to do, for lists as well.
    fileprivate var weight: Int { count + updatedElsewhere.count + untold.count }

    /// Whether not even a list wants to hear of it.
    var isEmptyToLists: Bool { weight == 0 && !isEverything }
}

/// **Confined.** Fills one slice after the other.
private struct SliceCutter {
    private var slices: [ObjectChanges] = []
    var slice: ObjectChanges

    init(directory: ObjectDirectory) { slice = ObjectChanges(directory: directory) }

    mutating func add<Part: RangeReplaceableCollection>(
        _ elements: [Part.Element], _ part: WritableKeyPath<ObjectChanges, Part>
    ) {
        var rest = elements[...]
        while !rest.isEmpty {
            let room = ObjectChanges.sliceCount - slice.weight
            slice[keyPath: part].append(contentsOf: rest.prefix(room))
            rest = rest.dropFirst(room)
            if slice.weight == ObjectChanges.sliceCount { endSlice() }
        }
    }

    mutating func finish() -> [ObjectChanges] {
        if !slice.isEmptyToLists { endSlice() }
        return slices
    }

    private mutating func endSlice() {
        slices.append(slice)
        slice = ObjectChanges(directory: slice.directory)
    }
}

@available(*, unavailable)
extension SliceCutter: Sendable {}
