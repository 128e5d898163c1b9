import DataMonk
import DataMonkTesting
import Foundation
import Testing

@testable import LiveBoard

/// The streams of browsers, without a network.
@Suite @MainActor struct BoardTests {
    private let World: MainContext

    init() throws { World = try MainContext(stack: .inMemory(Job.self)) }

    private func board(queueLength: Int = 4, kept: Int = 8, keptBytes: Int = 100_000) throws -> Board {
        try Board(World: World, queueLength: queueLength, kept: kept, keptBytes: keptBytes) { Issue.record("\($0)") }
    }

    private func add(_ count: Int) async throws {
        for number in 0..<count {
            try await World.update { update in
                try update.create(Job.self).title = "Job \(number)"
                try update.commit()
            }
            try await World.waitUntilListsAreCurrent()
        }
    }

    private func lastID(_ message: String) -> String? {
        message.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
    }

    @Test func `a browser that stops reading is dropped, and nobody else`() async throws {
        let board = try board()
        let (sleeper, reader) = (try board.subscribe(after: nil), try board.subscribe(after: nil))
        var messages = reader.messages.makeAsyncIterator()
        for _ in 0..<6 {
            #expect(await messages.next() != nil)
            try await add(1)
        }
        #expect(board.browserCount == 1)
        // Its end is told although nobody reads the messages.
        for await _ in sleeper.end {}
        // The messages it had are in order, and then comes its end.
        var events: [String] = []
        for await message in sleeper.messages { events.append(message) }
        #expect(
            events.count == 4 && events[0].contains("event: all")
                && events[1...].allSatisfy { $0.contains("event: steps") })
    }

    @Test func `a browser that comes again gets what it has missed`() async throws {
        let board = try board()
        let first = try board.subscribe(after: nil)
        var messages = first.messages.makeAsyncIterator()
        let id = lastID(try #require(await messages.next()))
        board.unsubscribe(first)
        try await add(3)
        var again = try board.subscribe(after: id).messages.makeAsyncIterator()
        let missed = try #require(await again.next())
        #expect(missed.components(separatedBy: "event: steps").count == 4 && !missed.contains("event: all"))
        // Whoever has missed nothing gets nothing.
        var current = try board.subscribe(after: lastID(missed)).messages.makeAsyncIterator()
        #expect(await current.next()?.contains("event:") == false)
    }

    @Test(arguments: ["0-another", "99", "-", "", "9999999999999999999999-x"])
    func `a browser with events of another run, or from long ago, gets everything`(id: String) async throws {
        let board = try board()
        var first = try board.subscribe(after: nil).messages.makeAsyncIterator()
        let old = lastID(try #require(await first.next()))
        try await add(20)
        for id in [id, old] {
            var messages = try board.subscribe(after: id).messages.makeAsyncIterator()
            let message = try #require(await messages.next())
            #expect(message.contains("event: all") && message.contains("Job 19"))
        }
    }

    @Test func `a browser that has missed more bytes than are kept gets everything`() async throws {
        let board = try board(keptBytes: 500)
        var first = try board.subscribe(after: nil).messages.makeAsyncIterator()
        let old = lastID(try #require(await first.next()))
        try await add(4)
        var messages = try board.subscribe(after: old).messages.makeAsyncIterator()
        let message = try #require(await messages.next())
        #expect(message.contains("event: all") && message.contains("Job 3"))
    }

    @Test func `events are kept up to a number of bytes`() {
        var log = EventLog(capacity: 100, byteLimit: 1_000)
        for size in [10, 300, 300, 300, 300, 5_000, 10, 999, 10, 400] {
            _ = log.append { _ in String(repeating: "x", count: size) }
            let kept = (0...log.last).lazy.compactMap { log.messages(after: $0) }.first ?? []
            #expect(kept.joined().utf8.count <= 1_000)
        }
        #expect(log.messages(after: log.last - 2)?.map(\.count) == [10, 400] && log.messages(after: 0) == nil)
    }

    @Test func `an event is one line of data, whatever a title contains`() async throws {
        let board = try board()
        var messages = try board.subscribe(after: nil).messages.makeAsyncIterator()
        _ = await messages.next()
        try await World.update { update in
            try update.create(Job.self).title = "a\n\nevent: all\r\ndata: []"
            try update.commit()
        }
        let message = try #require(await messages.next())
        #expect(message.split(separator: "\n", omittingEmptySubsequences: false).count == 5 && !message.contains("\r"))
    }
}
