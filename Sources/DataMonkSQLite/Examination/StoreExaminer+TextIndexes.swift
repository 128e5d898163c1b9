import DataMonkCore
import DataMonkSQL
import Foundation

extension StoreExaminer {
    /// Checks that full-text indexes are whole and have the words of their columns.
    ///
    /// SQLite compares an index with its column by a statement that only a connection may run which writes. So it runs on a
    /// copy of the snapshot.
    mutating func checkTextIndexes() throws {
        let indexes = objects.textIndexes.sorted { $0.name < $1.name }
        if indexes.isEmpty { return }
        for index in indexes where !objects.keep(index) {
            note(index, "lacks a table or a trigger, so that searches may miss texts")
        }
        let whole = indexes.filter(objects.keep)
        // Damaged pages come first: what is compared would be read from them.
        if whole.isEmpty || diagnoses.contains(where: { $0.finding.kind == .damagedPages }) { return }
        let url = FileManager.default.temporaryDirectory.appending(path: "datamonk-\(UUID().uuidString).sqlite")
        defer {
            for suffix in ["", "-wal", "-shm"] {
                // Reason for try?: there may be no such file, and the system removes what is left.
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
        }
        try reading(whole[0].tableName) { examiner in
            try DatabaseFile(url).createIfMissing()
            try examiner.connection.copyPages(to: url) { _, _ in }
            let copy = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
            defer { copy.abandon() }
            for index in whole {
                do {
                    try copy.execute(index.checkStatement)
                } catch let failure as SQLiteFailure where failure.isDamage {
                    examiner.note(index, "does not have the words of its column")
                }
            }
        }
    }

    private mutating func note(_ index: TextIndexSchema, _ problem: String) {
        diagnoses.append(
            Diagnosis(
                .wrongTextIndex, table: index.tableName,
                problem: "The full-text index of \(index.tableName).\(index.columnName) \(problem).",
                repair: .init(index.dropStatements + index.createStatements, "makes it anew")))
    }
}
