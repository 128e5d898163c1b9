public import ArgumentParser
import DataMonk
import DebianPackages
import Foundation

/// **Value.** Loads a list of packages into a store, and answers questions about it.
public struct PackagesCommand: AsyncParsableCommand {
    /// The command's name and help.
    public static let configuration = CommandConfiguration(
        commandName: "Packages",
        abstract: "Makes a graph of Debian's package database, and asks it.",
        discussion: """
            A second run over the same list changes nothing; one over another list makes the store equal to that one.

              swift run Packages --depends-on libc6
              swift run Packages /var/lib/apt/lists/*_main_binary-amd64_Packages
            """)

    @Argument(help: "The list: a dpkg status file or an apt Packages file; - for standard input.")
    var list = "/var/lib/dpkg/status"

    @Option(help: ArgumentHelp("The store's directory.", valueName: "path"))
    var store: String?

    @Option(help: ArgumentHelp("Show what depends on a package.", valueName: "name"))
    var dependsOn: [String] = []

    @Option(help: ArgumentHelp("Show what a package depends on.", valueName: "name"))
    var dependsOf: [String] = []

    @Option(help: ArgumentHelp("How many rows each table has.", valueName: "count"))
    var rows = 10

    @Option(help: ArgumentHelp("How many updates run at once.", valueName: "count"))
    var updates = 4

    @Flag(help: "Ask the store as it is, without a list.")
    var asIs = false

    @Option(help: ArgumentHelp("Write a list of packages that do not exist, to measure with.", valueName: "count"))
    var makeList: Int?

    @Option(help: ArgumentHelp("Another number makes another list.", valueName: "number"))
    var seed: UInt64 = 1

    /// A command with the values of no arguments.
    public init() {}

    /// Refuses numbers that make no sense.
    public func validate() throws {
        if updates < 1 { throw ValidationError("--updates takes a number from 1.") }
        if rows < 0 || (makeList ?? 0) < 0 { throw ValidationError("There is no table or list of so few rows.") }
    }

    /// Does what the arguments say, and prints the answers.
    public func run() async throws {
        if let makeList { return try writeSampleList(of: makeList) }
        // The list comes first: one that cannot be read leaves no store behind.
        let graph = asIs ? nil : try await readList()
        let store = try PackageStore(directory: store.map { URL(filePath: $0, directoryHint: .isDirectory) })
        if let graph { print(try await load(graph, into: store)) }
        let (dependsOn, dependsOf, rows) = (dependsOn, dependsOf, rows)
        let answers = try await store.context.read { reader in
            let report = Report(answers: try PackageAnswers(reader: reader))
            var answers = try dependsOn.map(report.dependents) + dependsOf.map(report.dependencies)
            if answers.isEmpty { answers = [try report.overview(rows: rows)] }
            return answers
        }
        print("\n" + answers.joined(separator: "\n\n"))
    }

    private func readList() async throws -> PackageGraph {
        if list != "-", !FileManager.default.isReadableFile(atPath: list) {
            throw ValidationError("\(list) cannot be read. Name a dpkg status file or an apt Packages file.")
        }
        let data =
            try list == "-" ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(filePath: list))
        let progress = ProgressBar("Reading", total: data.count)
        let records = try await ControlFile(data).packages(pieceCount: 64) { await progress.advance(by: $0) }
        let graph = PackageGraph(records)
        await progress.finish(with: records.count)
        return graph
    }

    /// - Returns: what it changed, in words.
    private func load(_ graph: PackageGraph, into store: PackageStore) async throws -> String {
        let loader = PackageLoader(context: store.context, graph: graph, width: updates) { title, total in
            ProgressBar(title, total: total)
        }
        let result = try await loader.load()
        if result.changedNothing { return "Nothing has changed since the last run." }
        return """
            \(result.created.formatted()) created, \(result.updated.formatted()) updated, \
            \(result.removed.formatted()) removed; \(result.links.formatted()) dependencies.
            """
    }

    private func writeSampleList(of count: Int) throws {
        var sample = SampleList(count: count, seed: seed)
        try sample.write { try FileHandle.standardOutput.write(contentsOf: Data($0.utf8)) }
    }
}
