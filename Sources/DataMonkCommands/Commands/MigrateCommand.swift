package import ArgumentParser
import DataMonkCore
import DataMonkSQLite
import Foundation

/// **Value.** `datamonk migrate`: shows how a store becomes one of another version of its model, and does it.
package struct MigrateCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates a store to another version of its model, or shows how it would.",
        discussion: """
            The mapping is inferred from names and renaming identifiers, as when a program opens the store. Nothing is \
            discarded that --discard does not name. The store becomes the new one by one transaction: an error, the end of \
            the process or a full disk leaves it as it was. No other program may have it open meanwhile.

            A store on a PostgreSQL server is named by its address, postgresql://user@host/database, whose user owns the \
            tables; a password is better in ~/.pgpass than in an argument. Others wait until the migration is done. Then \
            programs of the version before go on if only additions were made, as the plan says, and end otherwise. Plans \
            of such stores do not list objects that would lack a required link.

            --plan changes nothing. It lists the steps with their rows, the space that they need, what they would \
            discard, and objects that would lack a required link.

            Exit codes: 0 if the store is migrated, or can be; 1 if it cannot be without losing data or at all; 64 for \
            wrong arguments; 65 if the store or the model is damaged or of another kind; 66 if a file is missing, locked \
            or cannot be read; 73 if the store or the backup cannot be written.
            """)

    @Argument(help: "The file of the store, or the address of a server.", completion: .file())
    var store: String

    @Option(
        help: """
            The model to migrate to: the current version of a model folder (.xcdatamodeld, .xcdatamodel, .momd), a .mom \
            file, or another store.
            """, completion: .file())
    var model: String

    @Option(name: .customLong("configuration"), help: "The configuration of the model that the store holds.")
    var configurationName: String?

    @Option(name: .customLong("schema"), help: "On a server, the schema of the database that has the tables.")
    var schemaName = "datamonk"

    @Flag(help: "Show the plan, and change nothing.")
    var plan = false

    @Option(help: "Copy the store to this file first, which must not exist.", completion: .file())
    var backup: String?

    @Option(
        help: """
            Stored data that may be discarded: an entity (Room), a property (Guest.rank), 'everything', or \
            'later-versions' for a store that a newer program has migrated. May be repeated.
            """)
    var discard: [String] = []

    @Flag(help: "Print the plan and the result as JSON.")
    var json = false

    package init() {}

    package func validate() throws {
        try ServerStoreMigration.requireFiles(model)
        if plan, backup != nil {
            throw ValidationError(
                "A plan changes nothing, so there is nothing to back up. Leave out --plan or --backup.")
        }
        if ServerStoreMigration.isServer(store), backup != nil {
            throw ValidationError("A store on a server is backed up by the server's own tools. Leave out --backup.")
        }
    }

    package func run() throws { try outcome(progress: ProgressBar.current).finish() }

    package func outcome(progress: ProgressBar? = nil) -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            var report = try self.report()
            // Reason for the deferral: also what a failure leaves behind is worth showing.
            defer { outcome.output = json ? report.json.text + "\n" : report.text }
            if report.plan.isRefused {
                var reasons: [String] = []
                if !report.plan.discards.allSatisfy(\.isPermitted) {
                    reasons.append("data would be discarded without permission")
                }
                if !report.plan.obstacles.isEmpty { reasons.append("stored objects do not fit the new version") }
                outcome.error = "The store was not changed, because \(reasons.joined(separator: ", and "))."
                outcome.status = .refused
            } else if !plan {
                defer { progress?.end() }
                try report.carryOut(backupAt: backup.map { URL(filePath: $0) }) { progress?.show($0) }
            }
        } catch {
            outcome.error = StoreInspection.message(of: error)
            outcome.status = ExitStatus(writing: error)
        }
        return outcome
    }

    private func report() throws -> MigrationReport {
        if ServerStoreMigration.isServer(store) {
            return try MigrationReport(
                serverStoreAt: store, schemaName: schemaName, modelAt: URL(filePath: model),
                configuration: configurationName, discarding: discarding)
        }
        return try MigrationReport(
            storeAt: URL(filePath: store), modelAt: URL(filePath: model), configuration: configurationName,
            discarding: discarding, findsObstacles: plan)
    }

    private var discarding: DiscardableData {
        discard.reduce([]) { found, name in
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            let next: DiscardableData =
                switch name {
                case "everything": .everything
                case "later-versions": .laterVersions
                default: parts.count == 2 ? .property(parts[0], parts[1]) : .entity(name)
                }
            return [found, next]
        }
    }
}
