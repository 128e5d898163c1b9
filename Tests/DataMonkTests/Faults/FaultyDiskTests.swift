import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// The faulty disk that tests rely on: each fault arrives, and each image is one that a disk could have left.
@Suite struct `A faulty disk` {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private static func open(_ url: URL) throws -> Stack {
        let model = try ManagedObjectModel { EntityDescription("Note") { AttributeDescription("text", .string) } }
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: url, synchronous: .full)
        return stack
    }

    private static func add(_ text: String, to stack: Stack) throws {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.insert(stack.model.entities[0]).setValue(.string(text), forKey: "text")
        try context.save()
    }

    /// Opens the store, adds a note and closes it.
    private static func addNote(to url: URL) throws {
        let stack = try open(url)
        try add("note", to: stack)
        try stack.close()
    }

    // MARK: Faults

    @Test func `fails while it is slow`() throws {
        let disk = try FaultyDisk(folder: folder.url)
        disk.fail(FaultPlan(.delay(.microseconds(1)), times: .max))
        disk.fail(FaultPlan(.diskFull, times: .max))
        #expect(throws: StoreError.self) { try Self.addNote(to: url) }
        #expect(disk.heal() > 0)
        try Self.addNote(to: url)
        #expect(disk.heal() == 0)
    }

    @Test func `is the last one of a folder, and the innermost`() throws {
        let inner = folder.file("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let disks = [
            try FaultyDisk(folder: inner), try FaultyDisk(folder: folder.url), try FaultyDisk(folder: folder.url),
        ]
        for (number, place) in [(0, inner), (2, folder.url)] {
            let calls = try disks[number].calls { try Self.addNote(to: place.appending(path: "a.sqlite")) }
            #expect(!calls.isEmpty)
        }
        let calls = try withExtendedLifetime(disks) { try disks[1].calls { try Self.addNote(to: url) } }
        #expect(calls.isEmpty)
    }

    @Test func `counts only operations that can fail in a way`() throws {
        let disk = try FaultyDisk(folder: folder.url)
        disk.fail(FaultPlan(.killHalfway, on: [.sync], times: .max))
        disk.fail(FaultPlan(.diskFull, on: [.read], times: .max))
        try Self.addNote(to: url)
        #expect(disk.heal() == 0)
    }

    // MARK: Images

    /// Calls a closure with each image that shows all that was written, after the cuts from a mark on.
    private func forEachImage(
        of recording: DiskRecording, from mark: String, _ contents: DiskImage.Contents = .complete,
        _ body: (DiskImage) throws -> Void
    ) throws {
        var random = SeededGenerator(seed: 1)
        let cuts = (0...recording.changes.count).filter { recording.marks(before: $0).contains(mark) }
        #expect(!cuts.isEmpty)
        for cut in cuts {
            try body(recording.imageOfPowerLoss(after: cut, contents: contents, entries: .all, using: &random))
        }
    }

    private func notes(in image: DiskImage, _ name: String = "store.sqlite") throws -> Int {
        let place = try TemporaryFolder()
        try image.write(to: place.url)
        let contents = try StoreContents(of: place.file(name), recovers: true)
        #expect(contents.damage == [])
        return contents.tables["ZNOTE", default: []].count
    }

    @Test func `shows a backup after a loss of power`() async throws {
        let disk = try FaultyDisk(folder: folder.url)
        let stack = try Self.open(url)
        try Self.add("note", to: stack)
        try disk.startRecording()
        _ = try await stack.backUp(to: folder.file("backup.sqlite"))
        disk.mark("backed up")
        try stack.close()
        try forEachImage(of: disk.recording, from: "backed up", .dropped) { image in
            let count = try notes(in: image, "backup.sqlite")
            #expect(count == 1)
        }
    }

    @Test func `knows files that others have put there or taken away`() throws {
        let disk = try FaultyDisk(folder: folder.url)
        let template = try TemporaryFolder()
        for _ in 0..<2 { try Self.addNote(to: template.file("store.sqlite")) }
        try disk.startRecording()
        try FileManager.default.copyItem(at: template.file("store.sqlite"), to: url)
        try Self.addNote(to: url)
        disk.mark("copied")
        try forEachImage(of: disk.recording, from: "copied") { image in
            let count = try notes(in: image)
            #expect(count == 3)
        }

        try FileManager.default.removeItem(at: url)
        try Self.addNote(to: url)
        disk.mark("anew")
        try forEachImage(of: disk.recording, from: "anew") { image in
            let count = try notes(in: image)
            #expect(count == 1)
        }
    }

    @Test func `keeps some of the writes before a failed sync`() throws {
        let disk = try FaultyDisk(folder: folder.url)
        let stack = try Self.open(url)
        try disk.startRecording()
        disk.fail(FaultPlan(.inputOutputError, on: [.sync], ofFile: "-wal", times: .max))
        #expect(throws: StoreError.self) { try Self.add("note", to: stack) }
        disk.mark("failed")
        var sizes: Set<Int> = []
        for contents in DiskImage.Contents.allCases {
            try forEachImage(of: disk.recording, from: "failed", contents) { image in
                sizes.insert(image.files["store.sqlite-wal"]?.count ?? 0)
            }
        }
        #expect(sizes.count > 1, "\(sizes)")
        disk.heal()
        // The log is begun anew, and synced: then it has its length, whatever was lost before.
        try Self.add("another", to: stack)
        disk.mark("saved")
        let size = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal")).count
        for contents in DiskImage.Contents.allCases {
            var last: DiskImage?
            try forEachImage(of: disk.recording, from: "saved", contents) { last = $0 }
            let image = try #require(last)
            let count = try notes(in: image)
            #expect(count >= 1 && image.files["store.sqlite-wal"]?.count == size)
        }
        try stack.close()
    }

    @Test func `writes images into empty folders only`() throws {
        let disk = try FaultyDisk(folder: folder.url)
        try disk.startRecording()
        var random = SeededGenerator(seed: 1)
        let image = disk.recording.imageOfPowerLoss(after: 0, contents: .complete, entries: .all, using: &random)
        try image.write(to: folder.url)
        try Data().write(to: folder.file("another"))
        #expect(throws: CocoaError.self) { try image.write(to: folder.url) }
    }

    @Test func `a store that does not exist has other contents than an empty one`() throws {
        #expect(try StoreContents(of: url).exists == false)
        try Self.addNote(to: url)
        #expect(try StoreContents(of: url).exists)
    }
}
