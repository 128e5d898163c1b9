import BenchKit
import Foundation
import GRDB

/// Few columns of wide rows, texts and pictures.
extension GRDBRecordPeer {
    struct Picture: FetchableRecord, PersistableRecord {
        static let databaseTableName = "picture"
        let name: String
        let data: Data

        init(name: String, data: Data) {
            self.name = name
            self.data = data
        }

        init(row: Row) {
            name = row[1]
            data = row[2]
        }

        func encode(to container: inout PersistenceContainer) {
            container["name"] = name
            container["data"] = data
        }
    }

    func readThreeColumns() throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            let rows = try Row.fetchCursor(database, sql: "SELECT name, number, ratio FROM measurement")
            while let row = try rows.next() {
                digest.row()
                digest.add(row[0] as String)
                digest.add(row[1] as Int)
                digest.add(row[2] as Double)
            }
            return digest
        }
    }

    func readThreeColumnsOfObjects() throws -> Digest { try readThreeColumns() }

    func countNotes(_ search: TextSearch) throws -> Digest {
        try pool.read { database in
            let condition: String
            switch search {
            case .like: condition = "text GLOB ?"
            case .contains, .likeFolded, .matches:
                database.add(function: try Self.function(search))
                condition = "satisfies(text)"
            }
            let arguments: StatementArguments = search == .like ? [search.pattern] : []
            var digest = Digest()
            digest.add(
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM note WHERE \(condition)", arguments: arguments) ?? 0)
            return digest
        }
    }

    /// Returns a function for a search for which SQLite has no operator.
    private nonisolated static func function(_ search: TextSearch) throws -> DatabaseFunction {
        let pattern = search.pattern
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        let parts = pattern.split(separator: "*").map(String.init)
        let expression = search == .matches ? try NSRegularExpression(pattern: "^(?:\(pattern))$") : nil
        return DatabaseFunction("satisfies", argumentCount: 1, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]) else { return nil }
            if let expression {
                let whole = NSRange(text.startIndex..., in: text)
                return expression.firstMatch(in: text, range: whole) != nil
            }
            if search == .contains { return text.range(of: pattern, options: options) != nil }
            var rest = text.startIndex..<text.endIndex
            for part in parts {
                guard let found = text.range(of: part, options: options, range: rest) else { return false }
                rest = found.upperBound..<text.endIndex
            }
            return true
        }
    }

    func insertPictures(_ size: PictureSize, count: Int, isExternal: Bool) throws {
        let data = size.data
        try pool.write { database in
            for id in 1...Int64(count) {
                try Picture(name: PictureSize.name(id: id), data: data).insert(database)
            }
        }
    }

    func readPictureNames(isExternal: Bool) throws -> Digest {
        var digest = Digest()
        for picture in try pool.read({ try Picture.fetchAll($0) }) {
            digest.row()
            digest.add(picture.name)
        }
        return digest
    }
}
