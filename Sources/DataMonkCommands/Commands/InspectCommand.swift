package import ArgumentParser
import Foundation

/// **Value.** `datamonk inspect`: describes a store and its contents. The store is not changed, not even its log.
package struct InspectCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows facts about a store and its contents.",
        discussion: """
            The store is read from a private copy, so neither the file nor its log is changed, even if another \
            process has it open.

            Without an entity, the command shows facts about the store and the number of objects of each entity; with \
            an entity, it also shows its objects. In tables, ∅ means no value, a to-one is shown as Entity/key, and a \
            to-many as the number of its objects; --json includes every value exactly.

            Exit codes: 0 for success; 1 if --model is not the store's model; 64 for wrong arguments; 65 if the store \
            or the model is damaged or of another kind; 66 if a file is missing or cannot be read.
            """)

    @OptionGroup var source: StoreArguments

    @Option(help: "An entity whose objects to show.")
    var entity: String?

    @Option(help: "The maximum number of objects to show, 0 for all.")
    var limit = 20

    @Option(help: "The number of objects to skip.")
    var offset = 0

    @Flag(help: "Print everything as JSON, with exact values.")
    var json = false

    package init() {}

    package func validate() throws {
        if limit < 0 { throw ValidationError("The limit must not be negative. Use 0 for all objects.") }
        if offset < 0 { throw ValidationError("The offset must not be negative.") }
    }

    package func run() throws { try outcome(width: TerminalWidth.current).finish() }

    package func outcome(width: Int?) -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            let inspection = try StoreInspection(
                storeAt: source.url, modelAt: source.modelURL)
            let page = try entity.map { try inspection.page(of: $0, limit: limit, offset: offset) }
            outcome.output = text(of: inspection.report, page: page, width: width)
            if inspection.report.comparison?.isCompatible == false { outcome.status = .incompatible }
        } catch {
            outcome.error = StoreInspection.message(of: error)
            outcome.status = ExitStatus(error)
        }
        return outcome
    }

    private func text(of report: StoreReport, page: RowPage?, width: Int?) -> String {
        if json { return report.json(with: page).text + "\n" }
        return report.text(width: width) + (page.map { "\n" + $0.text(width: width) } ?? "")
    }
}
