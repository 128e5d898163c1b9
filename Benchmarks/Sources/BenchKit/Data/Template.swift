import Foundation

/// **Value.** The database files that samples start from: made once for a schema, copied before each sample.
package enum Template: String, Sendable {
    /// Tables without rows.
    case empty
    /// N people, N employees, 1,000 departments.
    case full
    /// `full` with an index on location and name.
    case indexed
    /// `full` with an index on the name.
    case named
    /// `full` among 200 entities: 197 more, without rows.
    case manyEntities
    /// N / 10 students and 200 courses, ten for each student.
    case enrolled
    /// A tree of N nodes.
    case tree
    /// N / 5 articles and N / 200 tags, five for each article.
    case tagged
    /// N / 5 rows of 40 columns.
    case wide
    /// N texts of 200 characters.
    case notes
    /// N / 200 pictures of 100,000 bytes; DataMonk's file has as many again, which may lie beside it.
    case smallPictures
    /// The same of 200,000 bytes.
    case largePictures

    /// How many entities `manyEntities` has beside those of `full`, and the attributes of each.
    package static let furtherEntities = (1...197).map { "Subject\($0)" }
    package static let furtherAttributes = ["code", "title", "note", "place", "owner"]

    func path(in directory: String, schema: Schema, count: Int) -> String {
        "\(directory)/\(schema.rawValue)-\(rawValue)-\(count).sqlite"
    }

    /// Lets the peer make the file, unless an earlier run has left it.
    @MainActor
    func makeIfMissing(for peer: any Peer.Type, in directory: String, dataset: Dataset) throws {
        let path = path(in: directory, schema: peer.schema, count: dataset.count)
        if FileManager.default.fileExists(atPath: path) { return }
        let building = path + ".building"
        SQLiteFile.remove(building)
        try peer.makeTemplate(self, at: building, dataset: dataset)
        let file = try SQLiteFile(building)
        if let index = peer.schema.index(of: self) { try file.execute(index) }
        try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.close()
        SQLiteFile.remove(path)
        try SQLiteFile.move(building, to: path)
        SQLiteFile.remove(building)
    }
}
