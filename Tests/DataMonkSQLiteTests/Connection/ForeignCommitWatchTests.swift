import DataMonkTesting
import Foundation
import Testing

@testable import DataMonkSQLite

/// Looks that writes to a file cause.
@Suite(.timeLimit(.minutes(60))) struct `Watches over files` {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func write(_ text: String, to url: URL) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test func `look after each write, and end when they are released`() async throws {
        let url = folder.url.appendingPathComponent("log")
        try Data("a".utf8).write(to: url)
        let (looks, continuation) = AsyncStream<Void>.makeStream()
        var watch: ForeignCommitWatch? = ForeignCommitWatch(path: url.path) { continuation.yield() }
        var iterator = looks.makeAsyncIterator()
        for _ in 1...3 {
            try write("b", to: url)
            await iterator.next()
        }
        weak let released = watch
        watch = nil
        // A look that has begun holds it.
        while released != nil { await Task.yield() }
    }

    @Test func `look every second at a file that cannot be watched`() async throws {
        let (looks, continuation) = AsyncStream<Void>.makeStream()
        let watch = ForeignCommitWatch(path: folder.url.appendingPathComponent("none").path) { continuation.yield() }
        var iterator = looks.makeAsyncIterator()
        for _ in 1...2 { await iterator.next() }
        withExtendedLifetime(watch) {}
    }

    @Test func `serve several stores over one file`() async throws {
        let url = folder.url.appendingPathComponent("log")
        try Data("a".utf8).write(to: url)
        let (looks, continuation) = AsyncStream<Int>.makeStream()
        var watches = (0..<3).map { number in
            ForeignCommitWatch(path: url.path) { continuation.yield(number) }
        }
        var iterator = looks.makeAsyncIterator()
        var seen: Set<Int> = []
        try write("b", to: url)
        while seen.count < 3 { if let number = await iterator.next() { seen.insert(number) } }
        // The others stay.
        watches.removeFirst()
        seen = []
        try write("c", to: url)
        while !seen.isSuperset(of: [1, 2]) { if let number = await iterator.next() { seen.insert(number) } }
        withExtendedLifetime(watches) {}
    }
}
