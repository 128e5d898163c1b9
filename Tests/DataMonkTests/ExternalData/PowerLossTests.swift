import DataMonk
import DataMonkSQLite
import DataMonkTesting
import Foundation
import Testing

/// Crash images of a store that loses power, at any call of random lives of a store with large values.
///
/// With `.full`, every commit that returned is there; with `.normal`, the first of them. Each row names a file.
@Suite struct `A loss of power` {
    @Test(arguments: [StoreDescription.Synchronous.normal, .full], [false, true])
    func `leaves the first commits, with .full all of them, and no row that names a missing file`(
        durability: StoreDescription.Synchronous, failsSyncs: Bool
    ) throws {
        var tally = StoreLife.Tally()
        for run in 0..<(PowerLosses.images + 29) / 30 {
            let life = try StoreLife(durability, failsSyncs: failsSyncs, seed: PowerLosses.seed &+ UInt64(run))
            try life.run(steps: 14)
            try life.look(at: 30)
            tally += life.tally
        }
        print("Loss of power, \(durability)\(failsSyncs ? ", syncs fail" : ""): \(tally), seed \(PowerLosses.seed)")
        #expect(tally.swept > 0 && (tally.failedSyncs > 0) == failsSyncs)
        // With .normal some are lost, or nothing here would find a lost one.
        #expect((tally.lost == 0) == (durability == .full))
    }

    /// The second attempt must not take for durable what the first one made and could not sync.
    @Test func `takes no commit of a store that was made at the second attempt, after a failed sync`() throws {
        var refused = 0
        for (number, times) in (1...12).flatMap({ number in [1, 2, .max].map { (number, $0) } }) {
            let shop = try PhotoShop()
            let disk = try FaultyDisk(folder: shop.folder.url)
            try disk.startRecording()
            disk.fail(FaultPlan(.inputOutputError, on: [.sync], atCall: number, times: times))
            var stack: Stack
            do { stack = try shop.openStack(synchronous: .full, onError: { _ in }) } catch {
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
            let found = try StoreContents(of: folder.file("Shop.sqlite"), recovers: true)
            #expect(found.damage.isEmpty && found.tables["ZPHOTO"]?.count == 1, "sync \(number), \(times) times")
            try stack.close()
        }
        #expect(refused > 2)
    }
}

extension `A loss of power` {
    /// The moment at which a sync of the log fails.
    enum FailedSync: CaseIterable {
        case closing, sweep, checkpoint
    }

    /// Makes a store with one photo, whose image is a file.
    private static func fill(_ shop: PhotoShop) throws {
        let stack = try shop.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("large", PhotoShop.bytes(110_000), context)
        try context.save()
        context.endTurn()
        try stack.close()
    }

    /// The next checkpoint must not rely on it: the pages that it writes could be there without the log.
    @Test(arguments: FailedSync.allCases)
    func `leaves a whole store after a sync of the log has failed`(moment: FailedSync) throws {
        let shop = try PhotoShop()
        let disk = try FaultyDisk(folder: shop.folder.url)
        try Self.fill(shop)
        let stack = try shop.openStack(onError: { _ in })
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let large = try #require(try context.fetch(FetchRequest(entityName: "Photo")).first)
        try disk.startRecording()
        var states = [try StoreContents(of: shop.url)]
        // The last commit is more than the thousand pages after which the log is moved.
        for (number, count) in [1, 2, 1, moment == .checkpoint ? 45 : 1].enumerated() {
            // The first commit syncs the log's header.
            if number == 1 { disk.fail(FaultPlan(.inputOutputError, on: [.sync], ofFile: "-wal")) }
            if number == 1, moment != .closing { context.delete(large) }
            for place in 0..<count { try shop.insert("\(number) \(place)", PhotoShop.bytes(95_000), context) }
            try context.save()
            states.append(try StoreContents(of: shop.url))
        }
        context.endTurn()
        try shop.age()
        let start = disk.recording.changes.count
        try stack.close()
        #expect(disk.faultCount == 1)
        let recording = disk.recording
        var random = SeededGenerator(seed: 1)
        for number in 0..<60 {
            let cut = Int.random(in: start...recording.changes.count, using: &random)
            let contents: DiskImage.Contents = number % 2 == 0 ? .reordered : .torn
            let image = recording.imageOfPowerLoss(after: cut, contents: contents, entries: .all, using: &random)
            let folder = try TemporaryFolder()
            try image.write(to: folder.url)
            let found = try StoreContents(of: folder.file("Shop.sqlite"), recovers: true)
            #expect(found.damage.isEmpty && states.contains(found), "cut \(cut) after \(start), \(contents)")
        }
    }
}

/// The number of losses of power, and their places.
enum PowerLosses {
    private static let environment = ProcessInfo.processInfo.environment
    /// The images of each test, with each durability.
    static let images = environment["DATAMONK_CRASH_IMAGES"].flatMap { Int($0) } ?? 120
    static let seed = environment["DATAMONK_CRASH_IMAGE_SEED"].flatMap { UInt64($0) } ?? 1
}

/// A store of photos that is written to, closed and opened, by a seed, on a disk that records it.
private final class StoreLife {
    struct Tally: CustomStringConvertible {
        var images = 0
        /// Images without a commit that had returned.
        var lost = 0
        var swept = 0
        var failedSyncs = 0

        var description: String {
            "\(images) images, \(lost) without a commit, \(swept) files swept, \(failedSyncs) failed syncs"
        }

        static func += (total: inout Tally, other: Tally) {
            total.images += other.images
            total.lost += other.lost
            total.swept += other.swept
            total.failedSyncs += other.failedSyncs
        }
    }

    private let durability: StoreDescription.Synchronous
    private let failsSyncs: Bool
    private let seed: UInt64
    private var random: SeededGenerator
    private let shop: PhotoShop
    private let disk: FaultyDisk
    private var stack: Stack
    private var context: ManagedObjectContext
    private var count = 0
    /// The contents of the store before the first commit and after each.
    private var states: [StoreContents] = [StoreContents()]
    private(set) var tally = Tally()

    init(_ durability: StoreDescription.Synchronous, failsSyncs: Bool, seed: UInt64) throws {
        self.durability = durability
        self.failsSyncs = failsSyncs
        self.seed = seed
        random = SeededGenerator(seed: seed)
        shop = try PhotoShop()
        disk = try FaultyDisk(folder: shop.folder.url)
        try disk.startRecording()
        // Errors that nobody throws would fill the log.
        stack = try shop.openStack(synchronous: durability, onError: { _ in })
        context = ManagedObjectContext(coordinator: stack.coordinator)
        try acknowledge()
    }

    func run(steps: Int) throws {
        for _ in 0..<steps {
            if failsSyncs, Bool.random(using: &random) {
                let number = Int.random(in: 1...6, using: &random)
                disk.fail(FaultPlan(.inputOutputError, on: [.sync], atCall: number))
            }
            try takeStep()
            disk.heal()
        }
        try stack.close()
        tally.failedSyncs = disk.faultCount
    }

    /// Does it again if a sync that failed is told.
    private func insist(_ body: () throws -> Void) throws {
        do { try body() } catch let error as StoreError where disk.faultCount > 0 {
            #expect(error.code == .writeFailed, "seed \(seed): \(error)")
            disk.heal()
            try body()
        }
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
        states.append(try StoreContents(of: shop.url))
    }

    private func image() -> Data { PhotoShop.bytes(Int.random(in: 105_000...120_000, using: &random)) }

    private func insert() throws {
        count += 1
        try shop.insert("\(count)", image(), context)
        try insist { try context.save() }
        try acknowledge()
    }

    private func change(_ body: (ManagedObject) throws -> Void) throws {
        let photos = try context.fetch(FetchRequest(entityName: "Photo")).sorted {
            $0.anyObjectID.key < $1.anyObjectID.key
        }
        guard let photo = photos.randomElement(using: &random) else { return }
        try body(photo)
        try insist { try context.save() }
        context.endTurn()
        try acknowledge()
    }

    private func closeAndOpen() throws {
        context.endTurn()
        try shop.age()
        let before = try shop.files().count
        try close()
        try reopen()
        tally.swept += try before - shop.files().count
    }

    /// A stack whose closing failed is closed all the same.
    private func close() throws {
        var isClosed = false
        try insist {
            if isClosed { return }
            isClosed = true
            try stack.close()
        }
    }

    private func reopen() throws {
        try insist { stack = try shop.openStack(synchronous: durability, onError: { _ in }) }
        context = ManagedObjectContext(coordinator: stack.coordinator)
    }

    /// Somebody who reads keeps the log from being moved into the file.
    private func closeBesideReader() throws {
        let reader = try SQLiteConnection(fileURL: shop.url, options: SQLiteOptions(access: .readOnly))
        try reader.beginSnapshot()
        try change { try $0.setValue(.data(self.image()), forKey: "image") }
        try shop.age()
        try close()
        try reader.close()
        try reopen()
    }

    // MARK: Images

    /// Lets the power fail at random calls.
    func look(at count: Int) throws {
        let recording = disk.recording
        for number in 0..<count {
            let cut = Int.random(in: 0...recording.changes.count, using: &random)
            let contents = DiskImage.Contents.allCases[number % 4]
            let entries = DiskImage.Entries.allCases[number % 3]
            let place: Comment = "seed \(seed), cut \(cut), \(contents), \(entries)"
            let image = recording.imageOfPowerLoss(after: cut, contents: contents, entries: entries, using: &random)
            let folder = try TemporaryFolder()
            // Its syncs are left out.
            let disk = try FaultyDisk(folder: folder.url)
            defer { withExtendedLifetime(disk) {} }
            try image.write(to: folder.url)
            let acknowledged = recording.marks(before: cut).count
            let found = try StoreContents(of: folder.file("Shop.sqlite"), recovers: true)
            #expect(found.damage.isEmpty, place)
            // A commit that did not return may be there.
            let known = states.prefix(acknowledged + 2)
            let last = try #require(known.lastIndex(of: found), "No state of the store: \(place)")
            if last < acknowledged { tally.lost += 1 }
            if durability == .full { #expect(last >= acknowledged, place) }
            try goOn(folder.file("Shop.sqlite"), place)
        }
        tally.images += count
    }

    /// Opens the store that is left, and writes to it.
    private func goOn(_ url: URL, _ place: Comment) throws {
        let stack = try PhotoShop.openStack(at: url, synchronous: durability)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try shop.insert("after the loss", nil, context)
        try context.save()
        context.endTurn()
        try stack.close()
        #expect(try StoreContents(of: url).damage.isEmpty, place)
    }
}
