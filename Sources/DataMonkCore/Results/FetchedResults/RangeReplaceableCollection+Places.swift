/// Removing and inserting at many places: a few elements are moved over, for more of them the collection is copied once.
extension RangeReplaceableCollection where Self: RandomAccessCollection, Index == Int {
    /// Removes the elements at some positions, given in ascending order.
    mutating func remove(atAscending places: [Int]) {
        if places.count < 16 {
            for place in places.reversed() { remove(at: place) }
            return
        }
        var kept = Self()
        kept.reserveCapacity(count - places.count)
        var start = startIndex
        for place in places {
            kept.append(contentsOf: self[start..<place])
            start = place + 1
        }
        kept.append(contentsOf: self[start...])
        self = kept
    }

    /// Inserts elements, each of which is at its place when all of them are there, in ascending order.
    ///
    /// - Returns: `false` if there are too few elements for a place, or if the places do not ascend. Nothing is inserted
    ///   then.
    mutating func insert(atAscending elements: [(place: Int, element: Element)]) -> Bool {
        var next = startIndex
        for (offset, place) in elements.lazy.map(\.place).enumerated() {
            guard place >= next, place <= count + offset else { return false }
            next = place + 1
        }
        if elements.count < 16 {
            for (place, element) in elements { insert(element, at: place) }
            return true
        }
        var all = Self()
        all.reserveCapacity(count + elements.count)
        var start = startIndex
        for (place, element) in elements {
            let end = start + place - all.count
            all.append(contentsOf: self[start..<end])
            all.append(element)
            start = end
        }
        all.append(contentsOf: self[start...])
        self = all
        return true
    }
}
