/// Wide rows, texts and pictures.
extension PlainTemplate {
    static var wideTables: String {
        let columns = WideRows.furtherColumns.map { "\($0) TEXT" }.joined(separator: ", ")
        return """
            CREATE TABLE measurement(
              id INTEGER PRIMARY KEY, name TEXT NOT NULL, number INTEGER NOT NULL, ratio DOUBLE NOT NULL, \(columns));
            """
    }

    static let noteTables = "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL);"

    static let pictureTables = "CREATE TABLE picture(id INTEGER PRIMARY KEY, name TEXT NOT NULL, data BLOB NOT NULL);"

    static func insertWideRows(count: Int, into file: SQLiteFile) throws {
        let values = Array(repeating: "?", count: 4 + WideRows.furtherColumns.count).joined(separator: ", ")
        let ids = 1...Int64(WideRows.count(for: count))
        try file.insert("INSERT INTO measurement VALUES(\(values))", ids) { id, row in
            row.bind(1, id)
            row.bind(2, WideRows.name(id: id))
            row.bind(3, Int64(WideRows.number(id: id)))
            row.bind(4, WideRows.ratio(id: id))
            for index in WideRows.furtherColumns.indices {
                row.bind(Int32(5 + index), WideRows.value(ofColumn: index, id: id))
            }
        }
    }

    static func insertNotes(count: Int, into file: SQLiteFile) throws {
        try file.insert("INSERT INTO note VALUES(?, ?)", 1...Int64(count)) { id, row in
            row.bind(1, id)
            row.bind(2, Notes.text(id: id))
        }
    }

    static func insertPictures(_ size: PictureSize, count: Int, into file: SQLiteFile) throws {
        let data = size.data
        try file.insert("INSERT INTO picture VALUES(?, ?, ?)", 1...Int64(PictureSize.count(for: count))) { id, row in
            row.bind(1, id)
            row.bind(2, PictureSize.name(id: id))
            row.bind(3, data)
        }
    }
}
