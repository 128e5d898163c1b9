import BenchMessages
import DataMonk
import Foundation
import Synchronization
import SystemSQLite

/// The turns of the main actor while it keeps a list of 100,000 people, behind which another thread commits a thousand times a
/// second, for `seconds`. Nine of ten commits move somebody in the list; the others delete somebody or add somebody.
@MainActor func measureList(_ seconds: Int) async throws {
    let crowd = try Crowd()
    try crowd.fill(100_000)
    let World = try MainContext(stack: crowd.stack)
    let order = .Ascending("age") | .Ascending("place")
    let list = try World.fetchedResults(Person.self, orderBy: order)
    var told = 0
    let observation = list.observeChanges { told += $0.objects.count }
    let commits = Commits(crowd, ids: list.objects.map(\.anyObjectID), seconds: seconds)
    Thread { commits.run() }.start()
    var beats = Beats()
    var (thread, last, woken) = (currentThread(), processorTime(), monotonicTime())
    var reported = 0
    while !commits.isDone {
        try await Task.sleep(for: .milliseconds(1))
        let now = monotonicTime()
        // On Linux, the main actor may change its thread.
        beats.note(gap: now - woken, work: thread == currentThread() ? processorTime() - last : nil)
        (thread, last, woken) = (currentThread(), processorTime(), now)
        if Int(now - commits.start) / 60 > reported {
            reported += 1
            print("minute \(reported): \(commits.count) commits, \(memory()); \(beats)")
        }
    }
    let end = monotonicTime()
    // Nothing is refreshed: what was committed arrives by itself.
    func isEqual() throws -> Bool {
        try World.fetchAll(Person.self, orderBy: order).map(\.anyObjectID) == list.objects.map(\.anyObjectID)
    }
    while try !isEqual(), monotonicTime() < end + 60 { try await Task.sleep(for: .milliseconds(10)) }
    print("\(commits.count) commits in \(seconds) s, \(memory()); \(beats)")
    print("told of \(told) changes; \(list.count) people; the list equals a fetch: \(try isEqual())")
    print("equal \(milliseconds(monotonicTime() - end)) after the last commit, with the time of the comparison")
    withExtendedLifetime(observation) {}
    try crowd.remove()
}

/// The resident memory, and what the allocator has handed out of it.
private func memory() -> String { "\(residentMegabytes()) MB, \(mallinfo2().uordblks / 1_000_000) MB allocated" }

/// **Shared.** A thread's commits, a thousand a second.
private final class Commits: Sendable {
    let start = monotonicTime()
    private let crowd: Crowd
    private let seconds: Int
    private let firstIDs: [AnyObjectID]
    private let state = Atomic(0)
    private let end = Atomic(false)

    init(_ crowd: Crowd, ids: [AnyObjectID], seconds: Int) {
        self.crowd = crowd
        self.seconds = seconds
        firstIDs = ids
    }

    var count: Int { state.load(ordering: .relaxed) }
    var isDone: Bool { end.load(ordering: .acquiring) }

    func run() {
        var ids = firstIDs
        do {
            for number in 0..<seconds * 1_000 {
                try commit(number, &ids)
                state.add(1, ordering: .relaxed)
                let early = start + Double(number) / 1_000 - monotonicTime()
                if early > 0 { Thread.sleep(forTimeInterval: early) }
                if monotonicTime() > start + Double(seconds) { break }
            }
        } catch { fatalError("\(error)") }
        end.store(true, ordering: .releasing)
    }

    private func commit(_ number: Int, _ ids: inout [AnyObjectID]) throws {
        let context = crowd.newContext()
        let place = Int.random(in: 0..<ids.count)
        if number % 20 == 19 {
            let person = try context.insert(Person.self)
            (person.age, person.place) = (Int.random(in: 0..<100), Int.random(in: 0..<1 << 40))
            try context.save()
            ids.append(person.anyObjectID)
            return
        }
        let person = try context.existingObject(with: ids[place])
        if number % 20 == 9 {
            context.delete(person)
            ids.swapAt(place, ids.count - 1)
            ids.removeLast()
        } else {
            (person as? Person)?.age = .random(in: 0..<100)
        }
        try context.save()
    }
}

/// **Value.** The main actor's turns, each between two beats a millisecond apart.
private struct Beats: CustomStringConvertible {
    private static let frame = 0.016
    private var count = 0
    /// The beats whose gap, and those whose work, took more than a frame.
    private var (lateGaps, lateWork) = (0, 0)
    private var (longestGap, longestWork) = (0.0, 0.0)

    mutating func note(gap: Double, work: Double?) {
        count += 1
        if gap > Self.frame { lateGaps += 1 }
        longestGap = max(longestGap, gap)
        guard let work else { return }
        if work > Self.frame { lateWork += 1 }
        longestWork = max(longestWork, work)
    }

    var description: String {
        func share(_ late: Int) -> String {
            String(format: "%.3f %%", 100 * Double(count - late) / Double(max(count, 1)))
        }
        return "\(count) turns, within 16 ms: \(share(lateGaps)), by processor time \(share(lateWork)); "
            + "the longest \(milliseconds(longestGap)), by processor time \(milliseconds(longestWork))"
    }
}
