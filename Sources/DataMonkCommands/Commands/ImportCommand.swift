package import ArgumentParser
import DataMonk
import DataMonkCore
import Foundation

/// **Value.** `datamonk import`: imports rows into a store.
package struct ImportCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports rows of JSON, JSON lines or CSV into a store.",
        discussion: """
            Each row becomes an object of the entity: the one with the row's key, or a new one. Values go where the user \
            info of the model says (mappedKeyName, relatedByAttribute, dateFormat and others), and otherwise to the \
            properties of their names. --mapping adds such notes, for a model that has none:

            {"Person": {"relatedByAttribute": "id", "name": {"mappedKeyName": "full_name"}}}

            Rows are committed in chunks. A row that fails is reported with its place, and the others are imported. The \
            store is never migrated, and programs that have it open may go on.

            Exit codes: 0 if every row was imported; 1 if some rows failed; 64 for wrong arguments; 65 if the rows, the \
            mapping, the store or the model are damaged or of another kind, or if the import ended early, after which \
            the report says where to go on; 66 if a file is missing, locked or cannot be read; 73 if the store cannot \
            be written; 130 or 143 if a signal has ended it, after which the report says where to go on as well.
            """)

    @OptionGroup var source: StoreArguments

    @Argument(help: "The file with the rows, or - for the standard input.", completion: .file())
    var input: String

    @Option(help: "The entity that the rows are objects of.")
    var entity: String

    @OptionGroup var formats: FormatArguments

    @Option(help: "The names that lead to the array of rows in JSON, joined by points.")
    var at: String?

    @Option(help: "A JSON file that says where values go.", completion: .file())
    var mapping: String?

    @Option(help: "The number of the first row to import, from 0, as a report says it.")
    var from = 0

    @Option(help: "The size of the largest row in MiB. A larger one fails.")
    var maximumRowSize = 64

    @Flag(help: "Write nothing; report what would be.")
    var dryRun = false

    @Flag(help: "End with the first row that fails.")
    var stopAtFirstFailure = false

    @Flag(help: "Print the report as JSON.")
    var json = false

    /// An object's values have less than 2 GiB, and a row may have more than one object, and its texts with escapes.
    private static let largestRowSize = 1 << 20

    package init() {}

    package func validate() throws {
        if from < 0 { throw ValidationError("The number of the first row must not be negative.") }
        if !(1...Self.largestRowSize).contains(maximumRowSize) {
            throw ValidationError("The size of the largest row must be from 1 to \(Self.largestRowSize) MiB.")
        }
    }

    package func run() async throws {
        Interruption.begin()
        try await outcome(progress: .onTerminal).finish()
    }

    package func outcome() async -> CommandOutcome { await outcome(progress: nil) }

    func outcome(progress: RowProgress?) async -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            let format = try formats.format(ofFile: input)
            if at != nil, format != .json {
                throw CommandError("\(format.rawValue) has no names that lead to its rows. Leave --at out.", .usage)
            }
            let store = try await TransferStore(
                source, mappingAt: mapping.map { URL(filePath: $0) }, readOnly: dryRun)
            let result = await result(of: store, format, progress)
            progress?.finish()
            take(result, into: &outcome)
            // Not asynchronously: also a command that is cancelled closes its store.
            try store.stack.close()
        } catch {
            outcome.note(error)
        }
        return outcome
    }

    private func result(
        of store: TransferStore, _ format: TransferFormat, _ progress: RowProgress?
    ) async -> Result<ImportReport, any Error> {
        var start = ImportReport()
        (start.nextIndex, start.isDryRun) = (from, dryRun)
        let last = Locked(start)
        let options = options(progress, last)
        let bytes = bytes(progress)
        let limit = maximumRowSize << 20
        do {
            let report =
                switch format {
                case .json:
                    try await store.stack.importRows(
                        entityName: entity, from: JSONRows(bytes, at: at, maximumRowSize: limit), options: options)
                case .jsonl:
                    try await store.stack.importRows(
                        entityName: entity, from: JSONLines(bytes, maximumRowSize: limit), options: options)
                case .csv:
                    try await store.stack.importRows(
                        entityName: entity,
                        from: CSVRows(bytes, format: formats.csv(ofFile: input), maximumRowSize: limit),
                        options: options)
                }
            return .success(report)
        } catch let error as CancellationError {
            return .failure(
                ImportError(
                    .inputFailed, "The import was cancelled.", underlyingError: error, report: last.withLock { $0 }))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the options of the import, which keeps its last report: an import that is cancelled throws none.
    private func options(_ progress: RowProgress?, _ last: Locked<ImportReport>) -> ImportOptions {
        var options = ImportOptions()
        options.isDryRun = dryRun
        options.stopsAtFirstFailure = stopAtFirstFailure
        options.resumingAt = from
        options.progress = { report in
            last.withLock { $0 = report }
            progress?.advance(rows: report.rows)
        }
        return options
    }

    /// Returns the bytes of the input, which tell the progress how many were read.
    private func bytes(_ progress: RowProgress?) -> ByteSource {
        let source = input == "-" ? ByteSource.standardInput : .file(URL(filePath: input))
        guard let progress else { return source }
        // Reason for try?: without a size there is no bar.
        let size = ((try? FileManager.default.attributesOfItem(atPath: input))?[.size] as? NSNumber)?.int64Value ?? 0
        return source.observed { [hasSize = size > 0 && input != "-"] read in
            progress.advance(done: hasSize ? Double(read) / Double(size) : nil)
        }
    }

    private func take(_ result: Result<ImportReport, any Error>, into outcome: inout CommandOutcome) {
        var report: ImportReport?
        switch result {
        case .success(let whole):
            report = whole
            if whole.failed > 0 { outcome.status = .findings }
        case .failure(let error):
            report = (error as? ImportError)?.report
            outcome.error = message(of: error)
            outcome.status = ExitStatus(writing: error)
        }
        if let report { outcome.output = json ? report.json.text + "\n" : report.text }
    }

    /// Returns the problem that has ended the import, and the way to go on with this command.
    private func message(of error: any Error) -> String {
        guard let ended = error as? ImportError, let cause = ended.underlyingError, let report = ended.report else {
            return StoreInspection.message(of: error)
        }
        let place = ended.place.map { "\($0): " } ?? ""
        return "\(place)\(StoreInspection.message(of: cause)) \(remedy(for: ended, report))"
    }

    private func remedy(for error: ImportError, _ report: ImportReport) -> String {
        if report.isDryRun { return "Nothing was written." }
        let next = report.nextIndex
        if error.code == .outcomeUnknown {
            return """
                The rows before \(next) are imported, and some after them may be. If their entities have keys, go on with \
                --from \(next). If not, look in the store first: each row that is there would become another object.
                """
        }
        let way =
            next > 0 ? "The rows before \(next) are imported: go on with --from \(next)." : "No row is imported."
        return error.code == .rowFailed
            ? way + " Without --stop-at-first-failure, rows that fail are reported and the others imported." : way
    }
}
