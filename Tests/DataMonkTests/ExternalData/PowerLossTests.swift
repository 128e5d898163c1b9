import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// What a loss of power leaves, at any call of random lives of a store with large values.
///
/// With `.full`, every commit that returned is there; with `.normal`, the first of them. Each row names a file.
@Suite struct `A loss of power` {
    private static let usualRuns = 3

    @Test(arguments: [DatabaseStoreOptions.Synchronous.normal, .full])
    func `leaves the first commits, with .full all of them, and no row that names a missing file`(
        durability: DatabaseStoreOptions.Synchronous
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let runs = environment["DATAMONK_POWER_LOSSES"].flatMap { Int($0) } ?? Self.usualRuns
        let seed = environment["DATAMONK_POWER_LOSS_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000)
        var images = 0
        var swept = 0
        var lost = 0
        for run in 0..<runs {
            let life = try StoreLife(durability, seed: seed &+ UInt64(run))
            try life.run(steps: 14)
            let tally = try life.look(at: 30)
            images += tally.images
            lost += tally.lost
            swept += life.swept
        }
        print("Loss of power, \(durability): \(images) images, \(lost) without a commit, \(swept) swept, seed \(seed)")
        #expect(images == runs * 30 && swept > 0)
        // With .normal some are lost, or nothing here would find a lost one.
        #expect((lost == 0) == (durability == .full))
    }

    /// The second attempt must not take for durable what the first one made and could not sync.
    @Test func `takes no commit of a store that was made at the second attempt, after a failed sync`() throws {
        var refused = 0
        for number in 1...12 {
            let shop = try PhotoShop()
            let disk = try FaultyDisk(folder: shop.folder.url)
            try disk.startRecording()
            disk.fail(FaultPlan(.inputOutputError, on: [.sync], atCall: number))
            var stack: Stack
            do { stack = try shop.openStack(synchronous: .full) } catch {
                refused += 1
                disk.heal()
                stack = try shop.openStack(synchronous: .full)
            }
            disk.heal()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try shop.insert("kept", PhotoShop.bytes(110_000), context)
            try context.save()
            context.endTurn()
            let recording = disk.recording
            var random = SeededGenerator(seed: 1)
            let image = recording.imageOfPowerLoss(
                after: recording.changes.count, contents: .dropped, entries: .strict, using: &random)
            let folder = try TemporaryFolder()
            try image.write(to: folder.url)
            let found = try StoreContents(folder.file("Shop.sqlite"), recovers: true)
            #expect(found.damage.isEmpty && found.tables["ZPHOTO"]?.count == 1, "sync \(number)")
            try stack.close()
        }
        #expect(refused > 2)
    }
}

/// A store of photos that is written to, closed and opened, by a seed, on a disk that records it.
private final class StoreLife {
    private let durability: DatabaseStoreOptions.Synchronous
    private let seed: UInt64
    private var random: SeededGenerator
    private let shop: PhotoShop
    private let disk: FaultyDisk
    private var stack: Stack
    private var context: ManagedObjectContext
    private var count = 0
    /// What the store held before the first commit and after each.
    private var states: [StoreContents] = [StoreContents()]
    /// How many files were removed.
    private(set) var swept = 0

    init(_ durability: DatabaseStoreOptions.Synchronous, seed: UInt64) throws {
        self.durability = durability
        self.seed = seed
        random = SeededGenerator(seed: seed)
        shop = try PhotoShop()
        disk = try FaultyDisk(folder: shop.folder.url)
        try disk.startRecording()
        stack = try shop.openStack(synchronous: durability)
        context = ManagedObjectContext(coordinator: stack.coordinator)
        try acknowledge()
    }

    func run(steps: Int) throws {
        for _ in 0..<steps { try takeStep() }
        try stack.close()
    }

    private func takeStep() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: try insert()
        case 4..<6: try change { try $0.setValue(.data(self.image()), forKey: "image") }
        case 6: try change { self.context.delete($0) }
        case 7..<9: try closeAndOpen()
        default: try closeBesideReader()
        }
    }

    /// Notes that a commit has returned.
    private func acknowledge() throws {
        disk.mark("\(states.count)")
        states.append(try StoreContents(shop.url))
    }

    private func image() -> Data { PhotoShop.bytes(Int.random(in: 105_000...120_000, using: &random)) }

    private func insert() throws {
        count += 1
        try shop.insert("\(count)", image(), context)
        try context.save()
        try acknowledge()
    }

    private func change(_ body: (ManagedObject) throws -> Void) throws {
        let photos = try context.fetch(FetchRequest(entityName: "Photo")).sorted {
            $0.anyObjectID.key < $1.anyObjectID.key
        }
        guard let photo = photos.randomElement(using: &random) else { return }
        try body(photo)
        try context.save()
        context.endTurn()
        try acknowledge()
    }

    private func closeAndOpen() throws {
        context.endTurn()
        try shop.age()
        let before = try shop.files().count
        try stack.close()
        try reopen()
        swept += try before - shop.files().count
    }

    private func reopen() throws {
        stack = try shop.openStack(synchronous: durability)
        context = ManagedObjectContext(coordinator: stack.coordinator)
    }

    /// Somebody who reads keeps the log from being moved into the file.
    private func closeBesideReader() throws {
        let reader = try SQLiteConnection(fileURL: shop.url, options: SQLiteOptions(access: .readOnly))
        try reader.beginSnapshot()
        try change { try $0.setValue(.data(self.image()), forKey: "image") }
        try shop.age()
        try stack.close()
        try reader.close()
        try reopen()
    }

    // MARK: Images

    /// Lets the power fail at random calls.
    ///
    /// - Returns: how many images were looked at, and how many of them were without a commit that had returned.
    func look(at count: Int) throws -> (images: Int, lost: Int) {
        let recording = disk.recording
        var lost = 0
        for number in 0..<count {
            let cut = Int.random(in: 0...recording.changes.count, using: &random)
            let contents = DiskImage.Contents.allCases[number % 4]
            let entries = DiskImage.Entries.allCases[number % 3]
            let place: Comment = "seed \(seed), cut \(cut), \(contents), \(entries)"
            let image = recording.imageOfPowerLoss(after: cut, contents: contents, entries: entries, using: &random)
            let folder = try TemporaryFolder()
            try image.write(to: folder.url)
            let acknowledged = recording.marks(before: cut).count
            let found = try StoreContents(folder.file("Shop.sqlite"), recovers: true)
            #expect(found.damage.isEmpty, place)
            // A commit that did not return may be there.
            let known = states.prefix(acknowledged + 2)
            let last = try #require(known.lastIndex(of: found), "No state of the store: \(place)")
            if last < acknowledged { lost += 1 }
            if durability == .full { #expect(last >= acknowledged, place) }
            try goOn(folder.file("Shop.sqlite"), place)
        }
        return (count, lost)
    }

    /// What is left can be opened and written to.
    private func goOn(_ url: URL, _ place: Comment) throws {
        let stack = try PhotoShop.openStack(at: url, synchronous: durability)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("after the loss", nil, context)
        try context.save()
        context.endTurn()
        try stack.close()
        #expect(try StoreContents(url).damage.isEmpty, place)
    }
}
