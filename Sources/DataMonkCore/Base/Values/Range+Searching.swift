extension Range<Int> {
    /// Returns the first number for which a condition holds, or the end if it holds for none. A binary search: the
    /// condition must hold for all numbers behind the first one as well.
    @inline(__always)
    package func partitionPoint(where holds: (Int) throws -> Bool) rethrows -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if try holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
