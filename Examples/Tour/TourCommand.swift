import ArgumentParser
import Foundation

/// Walks through everything that `README.md` shows, in a store of its own.
@main
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Tour", abstract: "From an empty directory to printed results.")

    @Flag(help: "Show the statements that the store runs.")
    var sql = false

    @Option(help: ArgumentHelp("Put the store's file here instead of the temporary folder.", valueName: "directory"))
    var keep: String?

    func run() async throws {
        let file = try emptyDirectory().appending(path: "Tour.sqlite")
        let narrator = Narrator(showsSQL: sql)
        try await Tour(file: file, narrator: narrator).run()
        narrator.end(
            """
            The file is \(file.path). To look at it:
              sqlite3 '\(file.path)' .schema 'SELECT ZNAME, ZAGE, ZLOCATION FROM ZPERSON'
            """)
    }

    /// The directory for the file. One that has such a file already is refused: nothing of yours is overwritten.
    private func emptyDirectory() throws -> URL {
        let directory =
            keep.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? FileManager.default.temporaryDirectory.appending(path: "DataMonk Tour \(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        if FileManager.default.fileExists(atPath: directory.appending(path: "Tour.sqlite").path) {
            throw ValidationError("\(directory.path) has a Tour.sqlite. Remove it, or name another directory.")
        }
        return directory
    }
}
