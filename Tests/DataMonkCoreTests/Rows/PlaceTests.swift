import Testing

@testable import DataMonkCore

/// Insertion of elements at the places that they have when all of them are there.
@Suite struct `Elements at places` {
    @Test(arguments: [2, 16, 100]) func `are refused unless their places ascend`(count: Int) {
        let ascending = (0..<count).map { (place: $0, element: -$0) }
        let twice = ascending + [ascending[count - 1]]
        let descending = Array(ascending.reversed())
        let negative = [(place: -1, element: 0)] + ascending
        let beyond = ascending + [(place: count + 6, element: 0)]
        for elements in [twice, descending, negative, beyond] {
            var numbers = Array(0..<5)
            let isInserted = numbers.insert(atAscending: elements)
            #expect(!isInserted && numbers == Array(0..<5))
        }
        var numbers = Array(0..<5)
        let isInserted = numbers.insert(atAscending: ascending)
        #expect(isInserted && numbers == ascending.map(\.element) + Array(0..<5))
    }
}
