import DataMonk
import Foundation
import Testing

/// Files, folders and names that are not what they should be: each use throws an error of the library's, or is right. None
/// waits for a pipe, and none writes outside of the store's folder.
@Suite(.timeLimit(.minutes(60))) struct `Strange files` {
    /// **Value.** Something in place of a file.
    enum Kind: String, CaseIterable {
        case pipe, folder, null, zero, full, brokenLink, linkToItself, linkElsewhere, emptyFile

        /// Puts it at a path.
        func put(at url: URL, elsewhere: URL) throws {
            // Reason for try?: there may be none.
            try? FileManager.default.removeItem(at: url)
            let made: Int32 =
                switch self {
                case .pipe: mkfifo(url.path, 0o600)
                case .folder: mkdir(url.path, 0o700)
                case .null: symlink("/dev/null", url.path)
                case .zero: symlink("/dev/zero", url.path)
                case .full: symlink("/dev/full", url.path)
                case .brokenLink: symlink(elsewhere.appending(path: "nowhere/at/all").path, url.path)
                case .linkToItself: symlink(url.lastPathComponent, url.path)
                case .linkElsewhere: symlink(elsewhere.appending(path: "treasure").path, url.path)
                case .emptyFile: FileManager.default.createFile(atPath: url.path, contents: Data()) ? 0 : -1
                }
            try #require(made == 0)
        }
    }

    private let outside: TemporaryFolder
    private let treasure = Data("treasure".utf8)

    init() throws {
        outside = try TemporaryFolder()
        try treasure.write(to: outside.file("treasure"))
    }

    /// Nothing was written outside.
    private func expectUntouched() throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.url.path) == ["treasure"])
        #expect(try Data(contentsOf: outside.file("treasure")) == treasure)
    }

    // MARK: Stores

    @Test(arguments: Kind.allCases) func `in place of a store are refused`(kind: Kind) throws {
        let store = try ForeignStore()
        try kind.put(at: store.url, elsewhere: outside.url)
        let outcomes = try store.outcomes()
        for (use, outcome) in outcomes where outcome.succeeded {
            // An empty file becomes a store when it is opened for writing.
            #expect(kind == .emptyFile && use == .changing, "\(use)")
        }
        try expectUntouched()
    }

    @Test(arguments: ["-wal", "-shm", "-journal"], Kind.allCases)
    func `beside a store are not followed`(suffix: String, kind: Kind) throws {
        let store = try ForeignStore()
        try kind.put(at: store.folder.file("Notes.sqlite\(suffix)"), elsewhere: outside.url)
        _ = try store.outcomes()
        try expectUntouched()
    }

    // MARK: Names of stores

    @Test(arguments: [
        "a?mode=memory", "a?vfs=none&immutable=1#b", "a%2e%2e%2fb", "file:x?mode=memory", ":memory:", "a\nb",
        "a'b\"c;--",
        "\u{301}", "~", "-journal", "a-wal", " ", "$HOME", "a\\b", String(repeating: "n", count: 4_000),
        String(repeating: "é", count: 120), String(repeating: "d/", count: 3_000) + "x", "nul\0byte", "..", ".", "a/..",
    ])
    func `of any name are made where they are said to be, or refused`(name: String) throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.url.path + "/inner/" + name).standardizedFileURL
        do {
            let stack = Stack(model: try ForeignStore.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try context.insert("Note", ["text": "x", "image": .data(PhotoShop.bytes(200_000))])
            try context.save()
            try stack.close()
            #expect(try Data(contentsOf: url).starts(with: Data("SQLite format 3".utf8)))
            let again = Stack(model: try ForeignStore.model.get())
            try again.addDatabaseStore(fileURL: url, immutable: true)
            let reader = ManagedObjectContext(coordinator: again.coordinator)
            #expect(try reader.count(FetchRequest(entityName: "Note")) == 1)
            reader.endTurn()
            try again.close()
        } catch  where DamageOutcome.isTyped(error) {
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.allSatisfy { ["inner", ".inner_SUPPORT"].contains($0) }, "\(names)")
    }

    // MARK: Files of large values

    private static let names = [
        "..", "../../../../../../../../../../etc/pwd", "/etc/passwd/././././././././././.", "\0\0\0\0",
        String(repeating: "0", count: 4_000), "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", ".", "",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B810-9DAD-11D1-80B4-00C04FD430C/",
        "{6BA7B810-9DAD-11D1-80B4-00C04FD430C}", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8/..",
        "6BA7B8109DAD11D180B400C04FD430C80000", "%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f",
    ]

    @Test(arguments: names) func `are not opened by a name that is none of theirs`(name: String) throws {
        let store = try ForeignStore()
        let bytes = [2] + Array(name.utf8) + [0]
        try store.rows("UPDATE ZNOTE SET ZIMAGE = x'\(bytes.map { String(format: "%02x", $0) }.joined())'")
        _ = try store.outcomes()
        let stack = try store.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for note in try context.fetch(FetchRequest(entityName: "Note", condition: .compare("text", .like, "note*"))) {
            #expect(throws: (any Error).self) { try note.value(forKey: "image") }
        }
        context.endTurn()
        try stack.close()
    }

    @Test(arguments: ["", "/_EXTERNAL_DATA", "/_EXTERNAL_DATA/FILE"], Kind.allCases)
    func `in place of a large value or its folder are not followed`(path: String, kind: Kind) throws {
        let store = try ForeignStore()
        let value = try #require(try FileManager.default.contentsOfDirectory(atPath: store.dataFolder.path).first)
        let support = store.folder.file(".Notes_SUPPORT")
        try kind.put(at: URL(filePath: support.path + path.replacing("FILE", with: value)), elsewhere: outside.url)
        _ = try store.outcomes()
        try expectUntouched()
    }

    @Test(arguments: Kind.allCases) func `among large values are none of the store's`(kind: Kind) async throws {
        let store = try ForeignStore()
        for name in [UUID().uuidString, UUID().uuidString.lowercased(), ".\(UUID().uuidString).new"] {
            let url = store.dataFolder.appending(path: name)
            try kind.put(at: url, elsewhere: outside.url)
            // As if it had been there for hours: young ones are not swept.
            var times = [timespec(), timespec()]
            try #require(utimensat(AT_FDCWD, url.path, &times, AT_SYMLINK_NOFOLLOW) == 0)
        }
        _ = try store.outcomes()
        let stack = try store.openStack()
        _ = try await stack.backUp(to: store.folder.file("Backup.sqlite"))
        try stack.close()
        try expectUntouched()
    }

    // MARK: Models

    @Test(arguments: Kind.allCases, ["Notes.xcdatamodel/contents", "Notes.mom", "contents"])
    func `in place of a model are refused`(kind: Kind, path: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.file(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try kind.put(at: file, elsewhere: outside.url)
        let model = path.hasPrefix("Notes.xcdatamodel") ? file.deletingLastPathComponent() : file
        #expect(throws: ModelError.self) { try ManagedObjectModel.load(contentsOf: model) }
        try expectUntouched()
    }

    @Test(
        arguments: Kind.allCases,
        ["Notes.momd/VersionInfo.plist", "Notes.xcdatamodeld/.xccurrentversion"])
    func `in place of a list of versions are refused`(kind: Kind, path: String) throws {
        let folder = try TemporaryFolder()
        let bundle = folder.file(path).deletingLastPathComponent()
        for name in ["A", "B"] {
            if path.hasPrefix("Notes.momd") {
                try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
                try Data().write(to: bundle.appending(path: "\(name).mom"))
            } else {
                let version = bundle.appending(path: "\(name).xcdatamodel")
                try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
                try Data("<model/>".utf8).write(to: version.appending(path: "contents"))
            }
        }
        try kind.put(at: folder.file(path), elsewhere: outside.url)
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: bundle) }
    }

    @Test(arguments: [
        "..", "../../secret", "/etc/passwd", "A\0", "a", "A/../A", "", String(repeating: "A", count: 4_000),
    ])
    func `in a list of versions are refused unless they are one of them`(name: String) throws {
        let folder = try TemporaryFolder()
        let list = try PropertyListSerialization.data(
            fromPropertyList: [
                "NSManagedObjectModel_CurrentVersionName": name, "_XCCurrentVersionName": name + ".xcdatamodel",
            ], format: .binary, options: 0)
        let (compiled, source) = (folder.file("Notes.momd"), folder.file("Notes.xcdatamodeld"))
        let version = source.appending(path: "A.xcdatamodel")
        for url in [compiled, version] {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        try list.write(to: compiled.appending(path: "VersionInfo.plist"))
        try Data().write(to: compiled.appending(path: "A.mom"))
        try list.write(to: source.appending(path: ".xccurrentversion"))
        try Data("<model/>".utf8).write(to: version.appending(path: "contents"))
        for url in [compiled, source] { #expect(throws: ModelError.self) { try ModelBundle(contentsOf: url) } }
    }
}
