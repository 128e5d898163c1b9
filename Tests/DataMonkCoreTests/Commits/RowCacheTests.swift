import DataMonkCore
import DataMonkTesting
import Testing

struct RowCacheTests {
    private var cache = RowCache<String>(capacity: 4)
    private let key = ObjectKey(store: 0, entity: 3, primaryKey: 7)

    private func generation(_ number: UInt64) -> Generation { Generation(rawValue: number) }

    private func key(_ number: Int) -> ObjectKey { ObjectKey(store: 0, entity: 0, primaryKey: Int64(number)) }

    private mutating func answer(_ key: ObjectKey, at number: UInt64) -> String {
        switch cache.lookUp(key, at: generation(number)) {
        case .row(let row): row
        case .deleted: "deleted"
        case .unknown: "unknown"
        }
    }

    private mutating func put(_ row: String, readAt generation: Generation) -> Bool {
        cache.put(row, for: key, readAt: generation)
    }

    private mutating func publish(_ outcome: RowChange<String>.Outcome, preimage: String? = nil, at number: UInt64) {
        cache.publish([RowChange(key, outcome: outcome, preimage: preimage)], at: generation(number))
    }

    @Test mutating func `contexts find the version of their own generation`() {
        cache.put("zero", for: key, readAt: .opened)
        publish(.row("one"), at: 1)
        publish(.deleted, at: 2)
        #expect(answer(key, at: 0) == "zero")
        #expect(answer(key, at: 1) == "one")
        #expect(answer(key, at: 2) == "deleted")
    }

    @Test mutating func `until a commit is complete, older generations are as before and its own is unknown`() throws {
        cache.put("zero", for: key, readAt: .opened)
        cache.put("old", for: key(1), readAt: .opened)
        cache.beginPublishing(at: generation(1))
        cache.publishPart { [key] tell in tell(RowChange(key, outcome: .row("one"))) }
        #expect(answer(key, at: 0) == "zero" && answer(key, at: 1) == "unknown")
        #expect(answer(key(1), at: 0) == "old" && answer(key(1), at: 1) == "unknown")
        #expect(put("zero", readAt: .opened) == false)
        #expect(put("one", readAt: generation(1)) == false)
        try cache.checkInvariants()
        let second = key(1)
        cache.publishPart { tell in tell(RowChange(second, outcome: .row("new"))) }
        cache.endPublishing()
        #expect(answer(key, at: 1) == "one" && answer(second, at: 1) == "new")
        #expect(answer(key, at: 0) == "zero" && answer(second, at: 0) == "old")
    }

    @Test mutating func `a row that changed after it was read is refused`() {
        publish(.row("one"), at: 1)
        #expect(put("zero", readAt: .opened) == false)
        #expect(answer(key, at: 1) == "one")
        #expect(answer(key, at: 0) == "unknown")
    }

    @Test mutating func `a row of a generation that is not published is refused`() {
        #expect(put("one", readAt: generation(1)) == false)
        #expect(answer(key, at: 0) == "unknown")
        #expect(answer(key, at: 1) == "unknown")
    }

    @Test mutating func `a deleted row is not taken in again while somebody stands before`() {
        publish(.deleted, at: 1)
        publish(.row("two"), at: 2)
        publish(.deleted, at: 3)
        cache.prune(oldestStanding: generation(2))
        #expect(answer(key, at: 3) == "deleted")
        #expect(put("two", readAt: generation(2)) == false)
    }

    @Test mutating func `a deleted row is not taken in again by a reader from before everybody`() {
        publish(.deleted, at: 1)
        cache.prune(oldestStanding: generation(1))
        #expect(cache.count == 0)
        #expect(put("zero", readAt: .opened) == false)
    }

    @Test mutating func `a preimage serves contexts behind`() {
        publish(.row("one"), preimage: "zero", at: 1)
        #expect(answer(key, at: 0) == "zero")
        cache.prune(oldestStanding: generation(1))
        #expect(answer(key, at: 0) == "unknown")
    }

    @Test mutating func `a change that nobody saw makes the row unknown`() {
        cache.put("zero", for: key, readAt: .opened)
        publish(.unseen, at: 1)
        #expect(answer(key, at: 0) == "zero")
        #expect(answer(key, at: 1) == "unknown")
        #expect(put("zero", readAt: .opened) == false)
        #expect(put("one", readAt: generation(1)) == true)
    }

    @Test mutating func `two changes of one row in a commit leave the last one`() throws {
        cache.put("zero", for: key, readAt: .opened)
        cache.publish([RowChange(key, outcome: .row("half")), RowChange(key, outcome: .row("one"))], at: generation(1))
        #expect(answer(key, at: 0) == "zero")
        #expect(answer(key, at: 1) == "one")
        try cache.checkInvariants()
    }

    @Test mutating func `rows in use stay, rows read once leave`() {
        for number in 1...4 { cache.put("\(number)", for: key(number), readAt: .opened) }
        _ = answer(key(2), at: 0)
        for number in 5...7 { cache.put("\(number)", for: key(number), readAt: .opened) }
        #expect(cache.count == 4)
        #expect(answer(key(2), at: 0) == "2")
    }

    @Test mutating func `an evicted change is not forgotten`() {
        publish(.row("one"), at: 1)
        for number in 1...100 { cache.put("\(number)", for: key(number + 10), readAt: generation(1)) }
        #expect(answer(key, at: 1) == "unknown")
        #expect(put("zero", readAt: .opened) == false)
    }

    @Test mutating func `removing all refuses what was read before`() {
        publish(.row("one"), at: 1)
        cache.removeAll()
        #expect(cache.count == 0)
        #expect(answer(key, at: 1) == "unknown")
        #expect(put("zero", readAt: .opened) == false)
    }

    @Test func `many keys come and go like those of a dictionary`() throws {
        var random = SeededGenerator(seed: 2024)
        var cache = RowCache<Int>(capacity: 300)
        var model: [ObjectKey: Int] = [:]
        for step in 1...3_000 {
            // Keys of equal low bits crowd together in the table.
            let number = Int.random(in: 1...250, using: &random)
            let key = ObjectKey(store: number % 3, entity: number % 7, primaryKey: Int64(number) << 20)
            let isDeleted = Bool.random(using: &random)
            let change = RowChange(key, outcome: isDeleted ? RowChange<Int>.Outcome.unseen : .row(step))
            let generation = Generation(rawValue: UInt64(step))
            cache.publish([change], at: generation)
            cache.prune(oldestStanding: generation)
            model[key] = isDeleted ? nil : step
            let probe = model.keys.randomElement(using: &random) ?? key
            guard case .row(let row) = cache.lookUp(probe, at: generation) else {
                #expect(model[probe] == nil)
                continue
            }
            #expect(model[probe] == row)
        }
        #expect(cache.count == model.count)
        try cache.checkInvariants()
    }
}
