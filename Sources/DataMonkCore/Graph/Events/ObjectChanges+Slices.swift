extension ObjectChanges {
    /// The maximum number of objects in a slice. An observer on the main actor should be able to process them in less
    /// than a frame.
    package static let sliceCount = 256

    /// The changes in parts of at most ``sliceCount`` objects, to be reported one a turn. The first part has the flag
    /// ``isEverything`` if it is set.
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

    /// The amount of work for observers, including lists.
    fileprivate var weight: Int { count + updatedElsewhere.count + untold.count }

    /// Indicates whether there is nothing to report, even to lists.
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
