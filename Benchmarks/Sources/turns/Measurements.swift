import DataMonk
import Foundation
import Synchronization

/// The turns of the main actor while a main context that holds `count` objects takes over commits that change all of
/// them.
@MainActor func measureMerges(_ count: Int, _ option: String) async throws {
    let crowd = try Crowd()
    try crowd.fill(count)
    let World = try MainContext(stack: crowd.stack)
    // In random order in memory.
    let people = try World.fetchAll(Person.self, orderBy: .Ascending("place"))
    var told = 0
    let observation = option == "observed" ? World.observeChanges { told += $0.updated.count + $0.deleted.count } : nil
    let list = option == "list" ? try World.fetchedResults(Person.self, orderBy: .Ascending("age")) : nil
    let rounds = option == "deleted" ? 1 : 5
    for round in 1...rounds {
        told = 0
        var idle = 0
        let isCommitted = Flag()
        Thread {
            do {
                if option == "deleted" { try crowd.delete() } else { try crowd.age(to: round) }
            } catch { fatalError("\(error)") }
            isCommitted.set()
        }.start()
        let turns = await longestTurns {
            guard isCommitted.isSet else { return false }
            let last = people[people.count - 1]
            if option == "deleted" ? !last.isDeleted : last.age != round {
                return false
            }
            // What follows a merge is done in the turns after it.
            idle += 1
            return idle > 20
        }
        let longest = turns.prefix(4).map(milliseconds).joined(separator: ", ")
        print("\(count) \(option) \(round): \(turns.count) turns, the longest \(longest); told of \(told)")
    }
    withExtendedLifetime((people, observation, list)) {}
    try crowd.remove()
}

/// The longest fetch on main beside commits that change `count` objects.
@MainActor func measureFetches(_ count: Int) async throws {
    let crowd = try Crowd()
    try crowd.fill(count)
    let World = try MainContext(stack: crowd.stack)
    for round in 1...3 {
        let isCommitted = Flag()
        Thread {
            do { try crowd.age(to: round) } catch { fatalError("\(error)") }
            isCommitted.set()
        }.start()
        var longest: [Double] = []
        while !isCommitted.isSet {
            let start = ContinuousClock.now
            _ = try World.fetchAll(Person.self, options: .Limit(1))
            longest.append(Double((ContinuousClock.now - start) / .nanoseconds(1)) / 1e9)
            await Task.yield()
        }
        longest.sort(by: >)
        print("fetches beside a commit of \(count): \(longest.count), longest", longest.prefix(4).map(milliseconds))
    }
    try crowd.remove()
}

/// `count` updates begun at once, each with a commit, by ten times a hundred: round by round, and the median of the ratios.
func measureUpdates(_ count: Int, _ option: String) async throws {
    let crowd = try Crowd()
    let context = try Context(stack: crowd.stack, updateOrder: option == "serial" ? .serial : .default)
    var ratios: [Cost] = []
    // The first round warms up.
    for round in 0...5 {
        let few = try await Cost.ofEach(of: 1_000) {
            for _ in 0..<10 { try await beginUpdates(100, in: context) }
        }
        let many = try await Cost.ofEach(of: count) { try await beginUpdates(count, in: context) }
        print("updates \(option) \(round): of 100 at once \(few), of \(count) \(many)")
        if round > 0 { ratios.append(many / few) }
    }
    print("an update of \(count) by one of 100:", Cost.medianRatio(ratios))
    try crowd.remove()
}

/// Begins updates at once, and waits for all of them.
private func beginUpdates(_ count: Int, in context: Context) async throws {
    let handles = (0..<count).map { _ in
        context.beginUpdate { update in
            _ = try update.create(Person.self)
            try update.commit()
        }
    }
    for handle in handles { try await handle.value }
}

/// Commits beside no idle context, a thousand and `count`, of which every other one has read something: round by round, and
/// the medians of the ratios to none.
func measureIdle(_ count: Int) async throws {
    let crowd = try Crowd()
    try crowd.fill(10)
    let writer = crowd.newContext()
    let person = try writer.insert(Person.self)
    try writer.save()
    var ratios: [Int: [Cost]] = [:]
    for round in 0...7 {
        var bare: Cost?
        // 0 once more: what two equal measurements differ by.
        for number in [0, 0, 1_000, count] {
            let contexts = try (0..<number).map { index in
                let context = crowd.newContext()
                if index.isMultiple(of: 2) { _ = try context.fetch(Crowd.everybody) }
                return context
            }
            let cost = try await Cost.ofEach(of: 2_000) {
                for age in 0..<2_000 {
                    person.age = age + 2_000 * round
                    try writer.save()
                }
            }
            withExtendedLifetime(contexts) {}
            guard let none = bare else {
                bare = cost
                continue
            }
            if round > 0 { ratios[number, default: []].append(cost / none) }
        }
    }
    for (number, ratios) in ratios.sorted(by: { $0.key < $1.key }) {
        print("a commit beside \(number) idle contexts by one beside none:", Cost.medianRatio(ratios))
    }
    try crowd.remove()
}

/// One commit after the other beside `count` observers of commits.
func measureObservers(_ count: Int) async throws {
    let crowd = try Crowd()
    let context = try Context(stack: crowd.stack)
    let calls = Count()
    for number in [0, count] {
        let observers = (0..<number).map { _ in context.observeCommit { calls.add() } }
        let (start, processor) = (ContinuousClock.now, processTime())
        for _ in 0..<100 {
            try await context.update { update in
                _ = try update.create(Person.self)
                try update.commit()
            }
        }
        let each = Double((ContinuousClock.now - start) / .nanoseconds(1)) / 1e9 / 100
        let own = (processTime() - processor) / 100
        let times = "\(milliseconds(each)), processor \(milliseconds(own))"
        print("a commit beside \(number) observers: \(times), \(calls.value) calls")
        for observer in observers { observer.cancel() }
    }
    try crowd.remove()
}

/// The memory after a tenth of `count` commits, and after all, beside a main context and idle ones.
func measureMemory(_ count: Int) async throws {
    let crowd = try Crowd()
    try crowd.fill(10)
    let World = try await MainContext(stack: crowd.stack)
    let idle = try (0..<1_000).map { _ in
        let context = crowd.newContext()
        return (context, try context.fetch(Crowd.everybody))
    }
    let context = crowd.newContext()
    let person = try context.insert(Person.self)
    try context.save()
    for number in 1...count {
        person.age = number
        try context.save()
        if number % max(count / 10, 1) == 0 { print("after \(number) commits: \(residentMegabytes()) MB") }
    }
    withExtendedLifetime((World, idle)) {}
    try crowd.remove()
}

/// Yields until a condition holds. Returns the processor times of the turns, the longest first.
@MainActor private func longestTurns(until isDone: () -> Bool) async -> [Double] {
    var turns: [Double] = []
    var (thread, last) = (currentThread(), processorTime())
    while !isDone() {
        await Task.yield()
        // On Linux, the main actor may change its thread.
        if thread == currentThread() { turns.append(processorTime() - last) }
        (thread, last) = (currentThread(), processorTime())
    }
    return turns.sorted(by: >)
}

/// **Shared.** A number that several threads increase.
private final class Count: Sendable {
    private let state = Atomic(0)

    var value: Int { state.load(ordering: .relaxed) }

    func add() { state.add(1, ordering: .relaxed) }
}

/// **Shared.** A flag.
private final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .acquiring) }

    func set() { state.store(true, ordering: .releasing) }
}
