import DataMonkCore
import Testing

@Suite struct `The run of notices` {
    private var run = NoticeRun<String>(capacity: 2)

    private func generation(_ number: UInt64) -> Generation { Generation(rawValue: number) }

    @Test mutating func `a context takes in what came after its generation, oldest first`() throws {
        run.append("one", at: generation(1))
        run.append("two", at: generation(2))
        #expect(run.notices(after: generation(0), through: generation(2)) == ["one", "two"])
        #expect(run.notices(after: generation(1), through: generation(2)) == ["two"])
        #expect(run.notices(after: generation(0), through: generation(1)) == ["one"])
        #expect(run.notices(after: generation(2), through: generation(2)) == [])
        try run.checkInvariants()
    }

    @Test mutating func `one notice too many gives up the oldest: who stands before it refreshes`() throws {
        for number in 1...4 { run.append("\(number)", at: generation(UInt64(number))) }
        #expect(run.notices(after: generation(1), through: generation(4)) == nil)
        #expect(run.notices(after: generation(2), through: generation(4)) == ["3", "4"])
        try run.checkInvariants()
    }

    @Test func `notices that weigh too much are given up, together or alone`() throws {
        var run = NoticeRun<String>(weightLimit: 10)
        run.append("one", at: generation(1), weight: 6)
        run.append("two", at: generation(2), weight: 4)
        try run.checkInvariants()
        run.append("three", at: generation(3), weight: 6)
        #expect(run.notices(after: generation(0), through: generation(3)) == nil)
        #expect(run.notices(after: generation(1), through: generation(3)) == ["two", "three"])
        run.append("four", at: generation(4), weight: 11)
        try run.checkInvariants()
        #expect(run.notices(after: generation(3), through: generation(4)) == nil)
        #expect(run.notices(after: generation(4), through: generation(4)) == [])
        run.append("five", at: generation(5))
        #expect(run.notices(after: generation(4), through: generation(5)) == ["five"])
    }

    @Test mutating func `what every context has taken in is released, and nothing else`() throws {
        run.append("one", at: generation(1))
        run.append("two", at: generation(2))
        run.release(through: generation(1))
        #expect(run.start == generation(1))
        #expect(run.notices(after: generation(1), through: generation(2)) == ["two"])
        run.release(through: generation(2))
        run.append("three", at: generation(3))
        #expect(run.notices(after: generation(2), through: generation(3)) == ["three"])
        try run.checkInvariants()
    }

    @Test(arguments: [1, 3] as [UInt64]) func `a notice out of its order is misuse`(number: UInt64) async {
        await #expect(processExitsWith: .failure) { [number] in
            var run = NoticeRun<String>()
            run.append("one", at: Generation(rawValue: 1))
            run.append("again", at: Generation(rawValue: number))
        }
    }
}
