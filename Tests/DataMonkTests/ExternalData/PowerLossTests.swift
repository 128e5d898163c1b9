import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// What a loss of power leaves, at every step of random lives of a store with large values: each row names a file.
///
/// With `.normal` the worst that can be left is the file without its log: the log is on disk only once it is moved into the
/// file. With `.full` it is the file and the log. Files of large values are gone as soon as they are unlinked.
@Suite struct `A loss of power` {
    private static let usualRuns = 8

    @Test(arguments: [DatabaseStoreOptions.Synchronous.normal, .full])
    func `leaves no row that names a missing file`(durability: DatabaseStoreOptions.Synchronous) throws {
        let environment = ProcessInfo.processInfo.environment
        let runs = environment["DATAMONK_POWER_LOSSES"].flatMap { Int($0) } ?? Self.usualRuns
        let seed = environment["DATAMONK_POWER_LOSS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000)
        var images = 0
        var swept = 0
        for run in 0..<runs {
            let life = try StoreLife(durability, seed: seed &+ UInt64(run))
            images += try life.run(steps: 14)
            swept += life.swept
        }
        print("Loss of power, \(durability): \(images) images, \(swept) files swept, seed \(seed)")
        #expect(images >= runs * 14 && swept > 0)
    }
}

/// A store of photos that is written to, closed, opened, and abandoned with its log, by a seed.
private final class StoreLife {
    private let durability: DatabaseStoreOptions.Synchronous
    private let seed: UInt64
    private var random: SeededGenerator
    private var shop: PhotoShop
    private var stack: Stack
    private var context: ManagedObjectContext
    private var count = 0
    private var images = 0
    /// How many files were removed.
    private(set) var swept = 0

    init(_ durability: DatabaseStoreOptions.Synchronous, seed: UInt64) throws {
        self.durability = durability
        self.seed = seed
        random = SeededGenerator(seed: seed)
        shop = try PhotoShop()
        // The tables are in the file from the start.
        try shop.openStack(synchronous: durability).close()
        stack = try shop.openStack(synchronous: durability)
        context = ManagedObjectContext(coordinator: stack.coordinator)
    }

    /// - Returns: how many images were looked at.
    func run(steps: Int) throws -> Int {
        for step in 0..<steps {
            let name = try takeStep()
            try look("seed \(seed), step \(step): \(name)")
        }
        try stack.close()
        try look("seed \(seed), the end")
        return images
    }

    private func takeStep() throws -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
            try insert()
            return "insert"
        case 3..<5: return try change("replace") { try $0.setValue(.data(self.image()), forKey: "image") }
        case 5: return try change("delete") { self.context.delete($0) }
        case 6..<8:
            context.endTurn()
            try shop.age()
            let before = try shop.files().count
            try stack.close()
            try look("closed")
            try reopen()
            swept += try before - shop.files().count
            return "close, open"
        case 8:
            try closeBesideReader()
            return "close beside a reader, open"
        default:
            try abandon()
            return "killed, open"
        }
    }

    private func image() -> Data { PhotoShop.bytes(Int.random(in: 110_000...120_000, using: &random)) }

    private func insert() throws {
        count += 1
        try shop.insert("\(count)", image(), context)
        try context.save()
    }

    private func change(_ name: String, _ body: (ManagedObject) throws -> Void) throws -> String {
        guard let photo = try context.fetch(FetchRequest(entityName: "Photo")).randomElement(using: &random) else {
            return "nothing"
        }
        try body(photo)
        try context.save()
        context.endTurn()
        return name
    }

    private func reopen() throws {
        stack = try shop.openStack(synchronous: durability)
        context = ManagedObjectContext(coordinator: stack.coordinator)
    }

    /// Somebody who reads keeps the log from being moved into the file.
    private func closeBesideReader() throws {
        let reader = try SQLiteConnection(fileURL: shop.url, options: SQLiteOptions(access: .readOnly))
        try reader.beginSnapshot()
        _ = try change("replace") { try $0.setValue(.data(self.image()), forKey: "image") }
        try shop.age()
        try stack.close()
        try look("closed beside a reader")
        try reader.close()
        try reopen()
    }

    /// Goes on with a copy of the files, the log included, as a process that was killed leaves them.
    private func abandon() throws {
        let copy = try PhotoShop()
        context.endTurn()
        let manager = FileManager.default
        for suffix in ["", "-wal"] where manager.fileExists(atPath: shop.url.path + suffix) {
            try manager.copyItem(atPath: shop.url.path + suffix, toPath: copy.url.path + suffix)
        }
        try manager.copyItem(
            at: shop.dataFolder.deletingLastPathComponent(), to: copy.dataFolder.deletingLastPathComponent())
        try stack.close()
        shop = copy
        try shop.age()
        try reopen()
    }

    // MARK: Images

    private func look(_ place: String) throws {
        images += 1
        let files = Set(try shop.files())
        let missing = try named().filter { !files.contains($0) }
        #expect(missing.isEmpty, "\(place)")
    }

    /// The names in the rows that are left.
    private func named() throws -> [String] {
        let access: SQLiteOptions.Access = durability == .full ? .readOnly : .immutable
        let connection = try SQLiteConnection(fileURL: shop.url, options: SQLiteOptions(access: access))
        let names = try connection.withStatement("SELECT substr(ZIMAGE, 2, 36) FROM ZPHOTO WHERE length(ZIMAGE) = 38") {
            var names: [String] = []
            while try $0.step() { names.append(String(decoding: $0.data(at: 0) ?? Data(), as: UTF8.self)) }
            return names
        }
        try connection.close()
        return names
    }
}
