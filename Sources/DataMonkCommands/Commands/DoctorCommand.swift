package import ArgumentParser
import DataMonkCore
import DataMonkSQL
import DataMonkSQLite
import Foundation

/// **Value.** `datamonk doctor`: finds what is wrong with a store, and makes a sound one of it. The store is not changed, not
/// even its log.
package struct DoctorCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Finds damage in a store, and makes a sound copy of it.",
        discussion: """
            The store is read from a private copy, so neither the file nor its log is changed, even if another \
            process has it open. The model inside the store says what belongs in it; stores without one need --model.

            Everything is examined: the pages and indexes, the version, each row, value and reference, the order of \
            relationships, derived values, the history, and the files of external data. Each finding says which \
            rows are concerned and what helps.

            --repair writes a copy in which everything is corrected that can be without loss: references and links \
            to objects that do not exist are removed; positions, highest keys, digests, indexes, triggers and derived \
            values are made again. If something cannot be corrected so, no copy is written.

            --salvage writes a new store with every object, value and link that can be read, past damaged pages, and \
            counts what is lost for each entity.

            Exit codes: 0 if nothing was found, or if the copy that was asked for is sound and nothing is lost; 1 if \
            something was found, cannot be repaired, or was lost; 2 if the store or the model cannot be read; 64 for \
            wrong arguments; 73 if the copy cannot be written.
            """)

    @OptionGroup var source: StoreArguments

    @Option(help: "Write a repaired copy to this file, which must not exist.", completion: .file())
    var repair: String?

    @Option(help: "Write what can be read to this new store, whose file must not exist.", completion: .file())
    var salvage: String?

    @Flag(help: "Print everything as JSON.")
    var json = false

    package init() {}

    package func validate() throws {
        if repair != nil, salvage != nil {
            throw ValidationError(
                "Choose --repair or --salvage. A repair loses nothing; a salvage goes on past losses.")
        }
    }

    package func run() throws { try outcome(width: TerminalWidth.current).finish() }

    package func outcome(width: Int?) -> CommandOutcome {
        var outcome = CommandOutcome()
        let report: DoctorReport
        do {
            report = try DoctorReport(
                storeAt: source.url, modelAt: source.modelURL, treatment: treatment)
        } catch {
            outcome.error = StoreInspection.message(of: error)
            outcome.status = .unreadable
            return outcome
        }
        outcome.output = json ? report.json.text + "\n" : report.text(width: width)
        outcome.error = report.failure.map(StoreInspection.message)
        outcome.status = report.status
        return outcome
    }

    private var treatment: DoctorReport.Treatment? {
        if let repair { return .repair(URL(filePath: repair)) }
        return salvage.map { .salvage(URL(filePath: $0)) }
    }
}
