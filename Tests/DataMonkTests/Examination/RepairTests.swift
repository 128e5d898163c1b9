import DataMonk
import DataMonkFixtures
import DataMonkTesting
import Foundation
import Testing

@Suite struct `A repair` {
    @Test(arguments: PlantedDamage.all) func `makes a sound copy, or none`(damage: PlantedDamage) throws {
        let school = try School()
        try damage.plant(school)
        let bytes = try Data(contentsOf: school.url)
        let model = damage.needsModel ? try School.model.get() : nil
        let target = school.file("Repaired.sqlite")
        switch damage.repair {
        case .possible:
            let repair = try Stack.repair(storeAt: school.url, to: target, model: model)
            #expect(repair.actions.contains { $0.finding.kind == damage.kind })
            #expect(try Stack.examine(storeAt: target, model: model).findings == [])
            // A stack opens it and has nothing to complain of.
            let errors = Locked<[String]>([])
            let stack = Stack(model: try School.model.get())
            stack.onError { error in errors.withLock { $0.append("\(error)") } }
            try stack.addDatabaseStore(fileURL: target, synchronous: .normal)
            try stack.close()
            #expect(errors.withLock { $0 } == [])
        case .refused:
            let error = try #require(throws: StoreError.self) {
                try Stack.repair(storeAt: school.url, to: target, model: model)
            }
            #expect(error.code == .corrupt)
            let names = try school.names
            #expect(!names.contains { $0.contains("Repaired") }, "\(names)")
        }
        #expect(try Data(contentsOf: school.url) == bytes)
    }

    @Test(arguments: PlantedDamage.all.filter { $0.kind != .damagedPages })
    func `is never needed after a salvage, which keeps every readable row`(damage: PlantedDamage) throws {
        let school = try School()
        let before = try Stack.examine(storeAt: school.url).objectCounts
        try damage.plant(school)
        let model = damage.needsModel ? try School.model.get() : nil
        let target = school.file("Salvaged.sqlite")
        let salvage = try Stack.salvage(storeAt: school.url, to: target, model: model)
        #expect(try Stack.examine(storeAt: target, model: model).findings == [])
        var lost: [String: Int] = [:]
        switch damage.kind {
        case .unknownEntity: lost = ["Person": 1]
        case .unusableKey: lost = ["Club": 1]
        case .missingTable where damage.name == "a table that is gone": lost = ["Club": 3]
        default: break
        }
        if damage.name == "a row that was deleted past the store" { lost = ["Company": 1] }
        for (name, count) in before {
            #expect(salvage.counts[name]?.savedObjects == count - lost[name, default: 0], "\(name)")
        }
        let values: [StoreFinding.Kind] = [.wrongValue, .missingFile, .duplicateValues]
        if values.contains(damage.kind) {
            #expect(salvage.counts["Person"]?.lostValues ?? 0 > 0 || salvage.counts["Club"]?.lostValues == 1)
        }
        let links: [StoreFinding.Kind] = [.danglingReference, .danglingLink]
        if links.contains(damage.kind) { #expect(salvage.counts.values.contains { $0.lostLinks > 0 }) }
        #expect(salvage.losesHistory)
    }

    @Test func `numbers members in the order that they had`() throws {
        let school = try School()
        try school.rows("UPDATE ZPARTY SET Z_FOK_EMPLOYER = 2048 WHERE ZNAME IN ('Ann', 'Cleo')")
        let target = school.file("Repaired.sqlite")
        _ = try Stack.repair(storeAt: school.url, to: target)
        let sql = "SELECT ZNAME, Z_FOK_EMPLOYER FROM ZPARTY WHERE ZNAME IN ('Ann', 'Cleo', 'Eve') ORDER BY 2"
        #expect(try StoreCopy.rows(target, sql) == [["Ann", "2048"], ["Cleo", "3072"], ["Eve", "4096"]])
    }

    @Test func `takes the files along that rows refer to`() throws {
        let school = try School()
        try Data("orphan".utf8).write(to: school.dataFolder.appending(path: UUID().uuidString))
        try PhotoShop.age(school.dataFolder)
        let target = school.file("Repaired.sqlite")
        _ = try Stack.repair(storeAt: school.url, to: target)
        let folder = school.file(".Repaired_SUPPORT").appending(path: "_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        let stack = try School.openStack(at: target)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let portraits = try context.fetch(FetchRequest(entityName: "Person")).map { try $0.value(forKey: "portrait") }
        #expect(portraits.contains(.data(PhotoShop.bytes(200_000))))
        #expect(portraits.contains(.data(PhotoShop.bytes(200_001))))
        context.endTurn()
        try stack.close()
    }

    @Test func `replaces no file`() throws {
        let school = try School()
        let target = school.file("Repaired.sqlite")
        try Data("mine".utf8).write(to: target)
        for body in [
            { _ = try Stack.repair(storeAt: school.url, to: target) },
            { _ = try Stack.salvage(storeAt: school.url, to: target) },
        ] {
            #expect(try #require(throws: StoreError.self) { try body() }.code == .fileExists)
        }
        #expect(try Data(contentsOf: target) == Data("mine".utf8))
        #expect(try !school.names.contains { $0.hasPrefix(".Repaired") })
    }
}

@Suite struct `A salvage` {
    /// A store of many rows, whose names and numbers are known.
    private func library(_ count: Int) throws -> (folder: TemporaryFolder, url: URL) {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.sqlite")
        let stack = try School.openStack(at: url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let shelf = try context.insert("Shelf", ["title": "long"])
        let books = try (0..<count).map {
            try context.insert("Book", ["title": .string("Book \($0) \(String(repeating: "x", count: 60))")])
        }
        try shelf.setObjects(books, forKey: "books")
        try context.save()
        context.endTurn()
        try stack.close()
        return (folder, url)
    }

    /// The leaf pages of a table, by the command's own listing.
    private func leaves(of table: String, _ url: URL) throws -> [Int] {
        try StoreCopy.rows(url, "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf' ORDER BY path")
            .compactMap { Int($0[0]) }
    }

    /// Overwrites a leaf page, and returns the number of rows that were on it.
    private func overwrite(_ page: Int, of table: String, _ url: URL) throws -> Int {
        let sql = "SELECT ncell FROM dbstat WHERE name = '\(table)' AND pageno = \(page)"
        let count = try #require(Int(StoreCopy.rows(url, sql)[0][0]))
        try DamagedFile.write(Data(repeating: 0xEE, count: 4_096), at: (page - 1) * 4_096, url)
        return count
    }

    @Test func `finds the rows behind one whose key is out of order`() throws {
        let (folder, url) = try library(3_000)
        let leaves = try leaves(of: "ZBOOK", url)
        let page = (leaves[leaves.count / 3] - 1) * 4_096
        let bytes = try Data(contentsOf: url)
        // The sixth cell: the size of its row, and its key, of two bytes each or less.
        var place = page + Int(bytes[page + 18]) << 8 + Int(bytes[page + 19])
        while bytes[place] > 0x7F { place += 1 }
        #expect(bytes[place + 1] > 0x7F)
        try DamagedFile.write(Data([0xFF]), at: place + 1, url)
        let lost = try overwrite(leaves[leaves.count / 2], of: "ZBOOK", url)
        let salvage = try Stack.salvage(storeAt: url, to: folder.file("New.sqlite"))
        #expect(salvage.counts["Book"]?.savedObjects == 3_000 - lost)
    }

    @Test(arguments: [1, 3]) func `reads past damaged pages, and counts what was on them`(damaged: Int) throws {
        let (folder, url) = try library(3_000)
        let leaves = try leaves(of: "ZBOOK", url)
        try #require(leaves.count > 20)
        var expected = 0
        for number in 0..<damaged {
            expected += try overwrite(leaves[leaves.count * (number + 1) / (damaged + 1)], of: "ZBOOK", url)
        }
        let examination = try Stack.examine(storeAt: url)
        #expect(examination.findings.contains { $0.kind == .damagedPages } && !examination.isSound)
        let target = folder.file("New.sqlite")
        let salvage = try Stack.salvage(storeAt: url, to: target)
        let books = try #require(salvage.counts["Book"])
        #expect(books.savedObjects == 3_000 - expected && books.lostObjects == expected)
        #expect(books.unreadableKeys == 0)
        #expect(try Stack.examine(storeAt: target).isSound)
        // The order of those that are left is the one from before.
        let sql = "SELECT ZTITLE FROM ZBOOK ORDER BY Z_FOK_8BOOKS"
        let numbers = try StoreCopy.rows(target, sql).compactMap { Int($0[0].split(separator: " ")[1]) }
        #expect(numbers == numbers.sorted() && numbers.count == books.savedObjects)
    }

    @Test func `does not call itself whole if a table is missing`() throws {
        let (folder, url) = try library(10)
        _ = try StoreCopy.rows(url, "DROP TABLE ZBOOK")
        let salvage = try Stack.salvage(storeAt: url, to: folder.file("New.sqlite"))
        #expect(salvage.counts["Book"]?.mayHaveLostMore == true && salvage.counts["Shelf"]?.mayHaveLostMore == false)
        #expect(!salvage.isWhole)
    }

    @Test(arguments: [true, false]) func `counts the rows that a page has lost without looking damaged`(
        hasIndex: Bool
    ) throws {
        let (folder, url) = try library(3_000)
        if !hasIndex { try dropIndexes(of: "ZBOOK", url) }
        let leaves = try leaves(of: "ZBOOK", url)
        let page = (leaves[leaves.count / 2] - 1) * 4_096
        let bytes = try Data(contentsOf: url)
        // The number of the page's rows.
        let count = Int(bytes[page + 3]) << 8 + Int(bytes[page + 4])
        let left = count / 2
        try DamagedFile.write(Data([UInt8(left >> 8), UInt8(left & 0xFF)]), at: page + 3, url)
        let salvage = try Stack.salvage(storeAt: url, to: folder.file("New.sqlite"))
        let books = try #require(salvage.counts["Book"])
        #expect(books.savedObjects == 3_000 - (count - left) && books.lostObjects == (hasIndex ? count - left : 0))
        #expect(books.mayHaveLostMore == !hasIndex && !salvage.isWhole)
    }

    /// Eight levels of pages whose children are all the same page: a walk comes to the last one many million times.
    @Test(.timeLimit(.minutes(60))) func `ends if pages share their children`() throws {
        let (folder, url) = try library(400)
        let leaves = try leaves(of: "ZBOOK", url)
        let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK'"
        let root = try #require(Int(StoreCopy.rows(url, sql)[0][0]))
        let page = try [UInt8](Data(contentsOf: url).dropFirst((root - 1) * 4_096).prefix(4_096))
        // A cell begins with the number of its child.
        let cells = (0..<Int(page[4])).map { Int(page[12 + 2 * $0]) << 8 + Int(page[13 + 2 * $0]) }
        try #require(leaves.count > 8 && page[0] == 5 && cells.count > 6)
        let levels = [root] + leaves[1...7]
        for (level, child) in zip(levels, levels.dropFirst() + [leaves[0]]) {
            var changed = page
            let number = [0, 0, UInt8(child >> 8), UInt8(child & 0xFF)]
            for place in [8] + cells { changed.replaceSubrange(place..<place + 4, with: number) }
            try DamagedFile.write(Data(changed), at: (level - 1) * 4_096, url)
        }
        let examination = try Stack.examine(storeAt: url)
        #expect(!examination.isSound && !examination.isComplete)
        let salvage = try Stack.salvage(storeAt: url, to: folder.file("New.sqlite"))
        let books = try #require(salvage.counts["Book"])
        #expect(books.savedObjects + books.lostObjects == 400 && books.savedObjects > 0)
        #expect(salvage.counts["Shelf"]?.savedObjects == 1)
    }

    @Test func `reads past a sector that the disk does not read`() throws {
        let (folder, url) = try library(3_000)
        let leaves = try leaves(of: "ZBOOK", url)
        let page = leaves[leaves.count / 2]
        let lost = try StoreCopy.rows(url, "SELECT ncell FROM dbstat WHERE name = 'ZBOOK' AND pageno = \(page)")
        let disk = try FaultyDisk(folder: folder.url)
        let bytes = (page - 1) * 4_096..<page * 4_096
        disk.fail(
            FaultPlan(.inputOutputError, on: [.read], ofFile: "Library.sqlite", inBytes: bytes, times: .max))
        let examination = try Stack.examine(storeAt: url)
        #expect(examination.findings.contains { $0.kind == .damagedPages } && !examination.isComplete)
        let target = folder.file("New.sqlite")
        let salvage = try Stack.salvage(storeAt: url, to: target)
        let books = try #require(salvage.counts["Book"])
        #expect("\(books.lostObjects)" == lost[0][0] && books.savedObjects == 3_000 - books.lostObjects)
        #expect(books.unreadableKeys == 0)
        // The examination has tried the sector once, and so has the salvage.
        #expect(disk.faultCount == 2)
        #expect(try Stack.examine(storeAt: target).isSound)
        disk.heal()
        #expect(try Stack.examine(storeAt: url).isSound)
    }

    private func dropIndexes(of table: String, _ url: URL) throws {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(table)'"
        for name in try StoreCopy.rows(url, sql) { _ = try StoreCopy.rows(url, "DROP INDEX \(name[0])") }
    }

    /// A range of keys without rows is no damage, and is not looked through key by key.
    @Test(arguments: [true, false]) func `finds the rows of a table with few keys in a wide range`(
        hasIndex: Bool
    ) throws {
        let (folder, url) = try library(1_000)
        _ = try StoreCopy.rows(
            url,
            """
            UPDATE ZBOOK SET Z_PK = -Z_PK; UPDATE ZBOOK SET Z_PK = -Z_PK * 70000000000;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 70000000000000 WHERE Z_NAME = 'Book'
            """)
        if !hasIndex { try dropIndexes(of: "ZBOOK", url) }
        let leaves = try leaves(of: "ZBOOK", url)
        try #require(leaves.count > 10)
        let lost = try overwrite(leaves[leaves.count / 3], of: "ZBOOK", url)
        let salvage = try Stack.salvage(storeAt: url, to: folder.file("New.sqlite"))
        let books = try #require(salvage.counts["Book"])
        #expect(books.savedObjects == 1_000 - lost)
        #expect(books.lostObjects == (hasIndex ? lost : 0))
        let size = try Data(contentsOf: url).count
        #expect(hasIndex ? books.unreadableKeys == 0 : 1...size ~= books.unreadableKeys)
    }

    @Test func `keeps identifier, keys, and metadata of the application`() throws {
        let school = try School()
        try Stack.setMetadata(["motto": "sapere aude"], ofStoreAt: school.url)
        try school.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 500 WHERE Z_NAME = 'Club'")
        let page = try school.rows("SELECT rootpage FROM sqlite_master WHERE name = 'ZSHELF'")[0][0]
        try school.overwritePage(try #require(Int(page)))
        let target = school.file("New.sqlite")
        let salvage = try Stack.salvage(storeAt: school.url, to: target)
        #expect(salvage.counts["Person"]?.savedObjects == 6 && salvage.counts["Shelf"]?.savedObjects == 0)
        #expect(salvage.counts["Shelf"]?.unreadableKeys == 1 && !salvage.isWhole)
        #expect(try Stack.metadata(ofStoreAt: target)["motto"] == "sapere aude")
        #expect(
            try Stack.metadata(ofStoreAt: target)["NSStoreUUID"] == Stack.metadata(ofStoreAt: school.url)["NSStoreUUID"]
        )
        #expect(try StoreCopy.rows(target, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Club'") == [["500"]])
        let keys = "SELECT Z_PK, ZNAME FROM ZPARTY ORDER BY 1"
        #expect(try StoreCopy.rows(target, keys) == school.rows(keys))
    }
}

@Suite(.requiresFixtures("stores", "more-stores"))
struct `A repair and a salvage of Core Data's stores` {
    @Test(arguments: StoreCopy.paths) func `leave nothing to find after a repair`(path: String) throws {
        let store = try StoreCopy(of: path)
        let target = store.url.deletingLastPathComponent().appending(path: "repaired.sqlite")
        _ = try Stack.repair(storeAt: store.url, to: target)
        #expect(try Stack.examine(storeAt: target).isSound)
    }

    @Test(arguments: StoreCopy.paths) func `lose nothing by a salvage`(path: String) throws {
        let store = try StoreCopy(of: path)
        let target = store.url.deletingLastPathComponent().appending(path: "salvaged.sqlite")
        let before = try Stack.examine(storeAt: store.url)
        let salvage = try Stack.salvage(storeAt: store.url, to: target)
        #expect(salvage.counts.mapValues(\.savedObjects) == before.objectCounts)
        #expect(salvage.counts.values.allSatisfy(\.isWhole) || !before.isSound)
        #expect(try Stack.examine(storeAt: target).isSound)
        let (old, new) = (Stack(model: try store.model()), Stack(model: try store.model()))
        try old.addDatabaseStore(fileURL: store.url)
        try new.addDatabaseStore(fileURL: target)
        if before.isSound { #expect(try GraphDump(old) == GraphDump(new)) }
        try old.close()
        try new.close()
    }
}
