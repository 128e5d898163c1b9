import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// A file of external data that is there, and cannot be read.
@Suite struct `An unreadable file of external data` {
    /// **Value.** The reason.
    enum Obstacle: CaseIterable {
        case folder, pipe, link, permission, disk, tooLarge
    }

    private func name(of person: String, _ school: School) throws -> String {
        try school.rows("SELECT substr(CAST(ZPORTRAIT AS TEXT), 2, 36) FROM ZPARTY WHERE ZNAME = '\(person)'")[0][0]
    }

    /// Makes a file unreadable. The superuser may read everything, so a missing permission is one of the disk's errors.
    private func put(_ obstacle: Obstacle, _ file: URL, of school: School) throws -> FaultyDisk? {
        let manager = FileManager.default
        if ![.permission, .disk].contains(obstacle) { try manager.removeItem(at: file) }
        switch obstacle {
        case .folder: try manager.createDirectory(at: file, withIntermediateDirectories: false)
        case .pipe: try #require(mkfifo(file.path, 0o600) == 0)
        case .link: try manager.createSymbolicLink(atPath: file.path, withDestinationPath: "/etc/hostname")
        case .tooLarge:
            try Data().write(to: file)
            try #require(truncate(file.path, 1 << 40) == 0)
        case .permission, .disk:
            let disk = try FaultyDisk(folder: school.url.deletingLastPathComponent())
            let operation: FileOperation = obstacle == .disk ? .read : .open
            disk.fail(FaultPlan(.inputOutputError, on: [operation], ofFile: file.lastPathComponent, times: .max))
            return disk
        }
        return nil
    }

    @Test(arguments: Obstacle.allCases) func `is lost by a salvage, which keeps the others`(obstacle: Obstacle) throws {
        let school = try School()
        let name = try name(of: "Ann", school)
        let disk = try put(obstacle, school.dataFolder.appending(path: name), of: school)
        let folder = try TemporaryFolder()
        let target = folder.file("New.sqlite")
        let salvage = try Stack.salvage(storeAt: school.url, to: target)
        withExtendedLifetime(disk) {}
        #expect(salvage.lostFiles == [name])
        #expect(salvage.counts["Person"]?.savedObjects == 6 && salvage.counts["Person"]?.lostValues == 1)
        #expect(try Stack.examine(storeAt: target).isSound)
        let sql = "SELECT count(*) FROM ZPARTY WHERE length(ZPORTRAIT) = 38"
        #expect(try StoreCopy.rows(target, sql) == [["1"]])
    }

    @Test(arguments: Obstacle.allCases.filter { $0 != .disk }) func `is found by an examination`(obstacle: Obstacle)
        throws
    {
        let school = try School()
        let name = try name(of: "Ann", school)
        let disk = try put(obstacle, school.dataFolder.appending(path: name), of: school)
        let examination = try Stack.examine(storeAt: school.url)
        withExtendedLifetime(disk) {}
        #expect(examination.findings.map(\.kind) == [.missingFile] && examination.findings.first?.files == [name])
    }

    @Test func `may be the whole folder`() throws {
        let school = try School()
        let names = try FileManager.default.contentsOfDirectory(atPath: school.dataFolder.path).sorted()
        try FileManager.default.removeItem(at: school.dataFolder)
        try Data("no folder".utf8).write(to: school.dataFolder)
        #expect(try Stack.examine(storeAt: school.url).findings.map(\.kind) == [.missingFile])
        let folder = try TemporaryFolder()
        let salvage = try Stack.salvage(storeAt: school.url, to: folder.file("New.sqlite"))
        #expect(salvage.lostFiles == names && salvage.counts["Person"]?.savedObjects == 6)
    }

    @Test(arguments: Obstacle.allCases) func `is named by a backup, which is not made`(obstacle: Obstacle) async throws
    {
        let school = try School()
        let name = try name(of: "Ann", school)
        let stack = try School.openStack(at: school.url)
        let disk = try put(obstacle, school.dataFolder.appending(path: name), of: school)
        let folder = try TemporaryFolder()
        let error = try await #require(throws: StoreError.self) {
            _ = try await stack.backUp(to: folder.file("Backup.sqlite"))
        }
        withExtendedLifetime(disk) {}
        #expect(error.message.contains(name))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try stack.close()
    }

    @Test func `is not what a full disk of the new store makes of it`() throws {
        let school = try School()
        let folder = try TemporaryFolder()
        let disk = try FaultyDisk(folder: folder.url)
        for call in [1, 5, 20, 60] {
            disk.fail(FaultPlan(.diskFull, on: [.write], atCall: call, times: .max))
            let error = try #require(throws: StoreError.self) {
                try Stack.salvage(storeAt: school.url, to: folder.file("New.sqlite"))
            }
            #expect(error.code == .outOfSpace)
            disk.heal()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        }
    }
}
