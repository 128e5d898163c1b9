extension AggregateAccumulator {
    /// **Value.** The values of a median. Integers alone, and doubles alone, are kept as plain numbers.
    struct Sample {
        private var integers: [Int64] = []
        private var doubles: [Double] = []
        /// All values, unless they are integers alone, or doubles alone without a NaN.
        private var values: [ManagedValue] = []

        /// Adds a value, which is not `nil`.
        mutating func add(_ value: ManagedValue) {
            switch value {
            case .int(let number) where doubles.isEmpty && values.isEmpty: integers.append(number)
            // The order of NaN is that of `SortColumn`.
            case .double(let number) where integers.isEmpty && values.isEmpty && !number.isNaN: doubles.append(number)
            default: addOther(value)
            }
        }

        @inline(never)
        private mutating func addOther(_ value: ManagedValue) {
            if values.isEmpty {
                values = integers.map(ManagedValue.int) + doubles.map(ManagedValue.double)
                (integers, doubles) = ([], [])
            }
            values.append(value)
        }

        /// The two values in the middle, which are the same for an odd number of values; `nil` if there are none.
        var middle: (lower: ManagedValue, upper: ManagedValue)? {
            if !integers.isEmpty {
                let (lower, upper) = Self.middle(of: integers)
                return (.int(lower), .int(upper))
            }
            if !doubles.isEmpty {
                var (lower, upper) = Self.middle(of: doubles)
                // Zeros of both signs are equal and stay in the order in which they were added.
                if lower == 0 || upper == 0 { (lower, upper) = Self.places(doubles.count).of(doubles.sorted()) }
                return (.double(lower), .double(upper))
            }
            if values.isEmpty { return nil }
            let column = SortColumn(values)
            let (lower, upper) = Self.places(values.count).of(
                values.indices.sorted { column.order($0, $1) == .ascending })
            return (values[lower], values[upper])
        }

        private static func middle<Number: Comparable>(of numbers: [Number]) -> (lower: Number, upper: Number) {
            var numbers = numbers
            let places = places(numbers.count)
            numbers.select(places.upper)
            if places.lower == places.upper { return places.of(numbers) }
            // Those before the selected one are not sorted.
            return (numbers[..<places.upper].max() ?? numbers[places.upper], numbers[places.upper])
        }

        private static func places(_ count: Int) -> Places { Places(lower: (count - 1) / 2, upper: count / 2) }

        /// **Value.** The places of the middle in sorted values.
        private struct Places {
            let lower: Int
            let upper: Int

            func of<Element>(_ sorted: [Element]) -> (lower: Element, upper: Element) { (sorted[lower], sorted[upper]) }
        }
    }
}

extension Array where Element: Comparable {
    /// Reorders the elements so that the one at `place` is the one that a sort puts there: none before it is greater, and
    /// none after it is less. On average, that takes time in proportion to the number of elements
    /// (quickselect by Hoare).
    fileprivate mutating func select(_ place: Int) {
        var (first, last) = (startIndex, endIndex - 1)
        // An order that makes for bad pivots does not take more time than a sort.
        var rounds = 2 * (Int.bitWidth - count.leadingZeroBitCount)
        while first < last {
            if rounds == 0 { return self[first...last].sort() }
            rounds -= 1
            let pivot = middleOfThree(first, last)
            var (left, right) = (first, last)
            while left <= right {
                while self[left] < pivot { left += 1 }
                while pivot < self[right] { right -= 1 }
                if left > right { break }
                swapAt(left, right)
                left += 1
                right -= 1
            }
            if place <= right {
                last = right
            } else if place >= left {
                first = left
            } else {
                return
            }
        }
    }

    private func middleOfThree(_ first: Int, _ last: Int) -> Element {
        let (one, two, three) = (self[first], self[(first + last) / 2], self[last])
        let (smaller, larger) = one < two ? (one, two) : (two, one)
        return three < smaller ? smaller : three < larger ? three : larger
    }
}
