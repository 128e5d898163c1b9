package import ArgumentParser
import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Value.** `datamonk backup`: copies a store that may be in use.
package struct BackupCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a store with its external data, even while programs write to it.",
        discussion: """
            The copy is one state of the store. Programs that have it open go on, and none waits. The copy appears with \
            one step, when it is complete and on disk; a file that is there is not replaced.

            Files of external data that no row refers to are left out. If the model inside the store cannot be read, all \
            files are copied.

            Exit codes: 0 for success; 64 for wrong arguments; 65 if the store is damaged or of another kind; 66 if it is \
            missing, locked or cannot be read; 73 if the copy cannot be written.
            """)

    @Argument(help: "The file of the store.", completion: .file())
    var store: String

    @Argument(help: "The file of the copy, which must not exist.", completion: .file())
    var target: String

    @Flag(help: "Print the result as JSON.")
    var json = false

    package init() {}

    package func validate() throws { try ServerStoreMigration.requireFiles(store, target) }

    package func run() throws { try outcome().finish() }

    package func outcome() -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            let (source, target) = (URL(filePath: store), URL(filePath: target))
            let backup = try StoreCopier.backUp(
                source, to: target, schema: { StoreCopier.storedSchema(of: source, on: $0) })
            outcome.output = json ? backup.json.text + "\n" : backup.text
        } catch {
            outcome.error = StoreInspection.message(of: error)
            outcome.status = ExitStatus(writing: error)
        }
        return outcome
    }
}
