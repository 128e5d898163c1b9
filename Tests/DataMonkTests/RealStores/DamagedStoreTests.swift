import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Stores whose bytes were changed at random: each opens, reads and saves, or gives an error; none stops the program.
@Suite(.enabled(if: ReferenceFiles.arePresent, Comment(rawValue: ReferenceFiles.absence)))
struct `A damaged store` {
    /// How many are made. `DATAMONK_DAMAGED_STORES` asks for more.
    private static let count =
        ProcessInfo.processInfo.environment["DATAMONK_DAMAGED_STORES"].flatMap { Int($0) } ?? 200

    @Test func `gives an error or data, and never a trap`() throws {
        // A model is never freed: one for each store.
        let models = try StoreCopy.paths.map { path in (path, try StoreCopy(of: path).model()) }
        let first = UInt64.random(in: 0 ... .max)
        var (sound, refused) = (0, 0)
        for offset in 0..<Self.count {
            var generator = SeededGenerator(seed: first &+ UInt64(offset))
            let (path, model) = models[offset % models.count]
            let copy = try StoreCopy(of: path)
            try Self.damage(copy.url, using: &generator)
            do {
                try Self.use(copy, model)
                sound += 1
            } catch {
                // Seen when the test run fails: which store it was.
                refused += 1
                #expect(!"\(error)".isEmpty, "seed \(first &+ UInt64(offset)), \(path)")
            }
        }
        #expect(sound + refused == Self.count)
        #expect(refused > 0, "seeds from \(first): nothing was noticed")
    }

    private static func use(_ copy: StoreCopy, _ model: ManagedObjectModel) throws {
        let stack = Stack(model: model)
        // A row that cannot be read where no caller can catch it.
        stack.onError { _ in }
        defer {
            // Reason for try?: a file that is damaged may not close well, which is one of the legal answers.
            try? stack.close()
        }
        try stack.addDatabaseStore(fileURL: copy.url)
        _ = try StoreDump(of: stack)
        _ = try StoreEdit.perform(on: stack)
        _ = try StoreDump(of: stack)
    }

    private static func damage(_ url: URL, using generator: inout SeededGenerator) throws {
        let log = URL(filePath: url.path + "-wal")
        let inLog = FileManager.default.fileExists(atPath: log.path) && Bool.random(using: &generator)
        let file = inLog ? log : url
        var bytes = try Data(contentsOf: file)
        guard !bytes.isEmpty else { return }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        case 1:
            // A stretch of one page.
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            for index in start..<min(start + 64, bytes.count) { bytes[index] = .random(in: 0...255, using: &generator) }
        case 2:
            // The header and the schema.
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<min(4_096, bytes.count), using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
        default:
            for _ in 0...Int.random(in: 0..<12, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        try bytes.write(to: file)
    }
}
