package import ArgumentParser
import DataMonk
import DataMonkCore
import Foundation

/// **Value.** `datamonk export`: writes the objects of a store as rows.
package struct ExportCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports objects of a store to JSON, JSON lines or CSV.",
        discussion: """
            The rows have the names and forms that import reads. Relationships are written by the key of their objects, \
            or to a depth as objects inside of others. A relationship to objects without a key cannot be written so and \
            is named on the error stream, as are to-manys and composite attributes in CSV, and the number of objects that \
            have the key of another one.

            The objects are those of one state of the store, which programs may have open and change meanwhile. The file \
            appears when it is complete.

            In CSV, cells that begin with =, +, - or @ are formulas to spreadsheets. They are written as they are.

            Exit codes: 0 for success; 64 for wrong arguments; 65 if the store or the model is damaged or of another kind, \
            or if an object has no key to be written by; 66 if a file is missing, locked or cannot be read; 73 if the file \
            cannot be written; 130 or 143 if a signal has ended it.
            """)

    @OptionGroup var source: StoreArguments

    @Argument(help: "The file to write, or - for the standard output.", completion: .file())
    var output: String

    @Option(help: "The entity whose objects to export.")
    var entity: String

    @OptionGroup var formats: FormatArguments

    @Option(help: "The names of the properties, joined by commas, in their order. Without it all.")
    var properties: String?

    @Option(help: "The number of levels of related objects to write inside of others.")
    var depth = 0

    @Option(name: .customLong("where"), help: "A condition in the form of NSPredicate, such as 'age >= 18'.")
    var condition: String?

    @Option(help: "A JSON file that says which attributes are keys, as for import.", completion: .file())
    var mapping: String?

    @Flag(help: "Replace the file if there is one.")
    var replace = false

    @Flag(help: "Print the report as JSON.")
    var json = false

    package init() {}

    package func validate() throws {
        if !(0...ExportOptions.maximumDepth).contains(depth) {
            throw ValidationError("The depth must be from 0 to \(ExportOptions.maximumDepth).")
        }
    }

    package func run() async throws {
        // The standard output has nothing to be removed, and may wait for its reader.
        if output != "-" { Interruption.begin() }
        try await outcome(progress: .onTerminal).finish()
    }

    package func outcome() async -> CommandOutcome { await outcome(progress: nil) }

    func outcome(progress: RowProgress?) async -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            let options = try options(progress)
            let query = try condition.map { Query(try Condition(format: $0)) }
            let target: ExportTarget =
                output == "-" ? .sink { try StandardStream.print($0) } : .file(URL(filePath: output))
            try target.requireNone(of: inputs, because: "is read by this export")
            let store = try await TransferStore(
                source, mappingAt: mapping.map { URL(filePath: $0) }, readOnly: true)
            do {
                take(
                    try await store.stack.exportRows(entityName: entity, query, to: target, options: options),
                    into: &outcome)
            } catch {
                outcome.note(error)
            }
            progress?.finish()
            // Not asynchronously: also a command that is cancelled closes its store.
            try store.stack.close()
        } catch {
            outcome.note(error)
        }
        return outcome
    }

    /// The files that the command reads. A model may be a folder with files inside of it.
    private var inputs: [URL] {
        var inputs = [source.url]
        if let mapping { inputs.append(URL(filePath: mapping)) }
        if let model = source.modelURL {
            inputs.append(model)
            inputs += (FileManager.default.subpaths(atPath: model.path) ?? []).map { model.appending(path: $0) }
        }
        return inputs
    }

    private func options(_ progress: RowProgress?) throws -> ExportOptions {
        let format: ExportFormat =
            switch try formats.format(ofFile: output) {
            case .json: .json
            case .jsonl: .jsonLines
            case .csv: .csv(formats.csv(ofFile: output))
            }
        var options = ExportOptions(
            format: format, properties: properties?.split(separator: ",").map(String.init), depth: depth,
            replacesFile: replace)
        options.progress = { report in
            progress?.advance(rows: report.rows, done: Double(report.rows) / Double(max(1, report.total)))
        }
        return options
    }

    private func take(_ report: ExportReport, into outcome: inout CommandOutcome) {
        var notes: [String] = []
        if !report.omitted.isEmpty {
            notes.append("Not exported, since the rows cannot have it: \(report.omitted.joined(separator: ", ")).")
        }
        if report.repeatedKeys > 0 {
            notes.append(
                "Objects with the key of the one before them, of which an import makes one: \(report.repeatedKeys).")
        }
        if !notes.isEmpty { outcome.error = notes.joined(separator: " ") }
        // The standard output has the rows.
        if output == "-" { return }
        let figures: JSONValue = [
            "rows": .integer(report.rows), "bytes": .integer(report.bytes), "omitted": .strings(report.omitted),
            "repeatedKeys": .integer(report.repeatedKeys),
        ]
        outcome.output = json ? figures.text + "\n" : "Exported \(report.rows) objects in \(report.bytes) bytes.\n"
    }
}
