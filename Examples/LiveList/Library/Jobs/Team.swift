public import DataMonk
import Foundation

/// **Shared.** A team that works on the jobs behind the list: it adds some, moves them on, changes and deletes them.
public actor Team {
    private let context: Context
    private let commitsPerSecond: Double
    private let size: Int
    private var number = 0
    /// A pause ends the present work; the list goes on.
    public private(set) var isPaused = false

    private static let verbs = ["Repair", "Paint", "Measure", "Clean", "Order", "Wrap", "Test", "Photograph", "Move"]
    private static let things = [
        "the red bicycle", "six chairs", "a piano", "the attic door", "東京 の 地図", "the café sign", "two kites 🪁",
        "a telescope", "the north bridge", "a box of lenses", "an old radio",
    ]

    /// Creates a team.
    ///
    /// - Parameters:
    ///   - size: The number of jobs that the team keeps the list at.
    public init(stack: Stack, commitsPerSecond: Double, size: Int) throws {
        context = try Context(stack: stack)
        self.commitsPerSecond = commitsPerSecond
        self.size = size
    }

    /// Adds the jobs to an empty list.
    public func begin() async throws {
        let titles = (0..<size).map { _ in newTitle() }
        try await context.update { update in
            if try update.exists(Job.self) { return }
            for title in titles { try Self.add(title, in: update) }
            try update.commit()
        }
    }

    /// Pauses, or goes on.
    public func setPaused(_ isPaused: Bool) { self.isPaused = isPaused }

    /// Commits one change after the other until the task is cancelled.
    ///
    /// - Throws: The errors of updates.
    public func work() async throws {
        guard commitsPerSecond > 0 else { return }
        while true {
            do {
                try await Task.sleep(for: .seconds(1 / commitsPerSecond))
            } catch {
                return  // Cancelled: the program ends.
            }
            if !isPaused { try await step() }
        }
    }

    private func step() async throws {
        let (title, size, choice) = (newTitle(), size, Int.random(in: 0..<10))
        // A person at the list may change the same job at the same time.
        try await context.update(retrying: 10) { update in
            let count = try update.count(Job.self)
            let place = count == 0 ? 0 : Int.random(in: 0..<count)
            let job = try update.first(Job.self, orderBy: .Ascending("urgency"), options: .Limit(1) | .Offset(place))
            switch (choice, job) {
            case (0, let job?) where count >= size, (1, let job?) where count > size: try update.delete(job)
            case (0...2, _), (_, nil): try Self.add(title, in: update)
            case (3...4, let job?): job.stage = job.stage.next
            case (5, let job?): job.title = title
            case (_, let job?): job.urgency = max(1, min(99, job.urgency + Int.random(in: -9...9)))
            }
            try update.commit()
        }
    }

    private func newTitle() -> String {
        number += 1
        return [Self.verbs.randomElement(), Self.things.randomElement()].compactMap(\.self).joined(separator: " ")
            + " \(number)"
    }

    private static func add(_ title: String, in update: Update) throws {
        let job = try update.create(Job.self)
        job.title = title
        job.urgency = .random(in: 1...99)
        job.stage = Stage.allCases.randomElement() ?? .doing
    }
}
