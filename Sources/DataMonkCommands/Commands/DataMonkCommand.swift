package import ArgumentParser

/// **Value.** The program `datamonk`.
package struct DataMonkCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "datamonk",
        abstract: """
            Inspects, examines, repairs, copies, migrates, fills and exports stores of DataMonk or Core Data, and works \
            on models.
            """,
        subcommands: [
            InspectCommand.self, DoctorCommand.self, BackupCommand.self, MigrateCommand.self, ImportCommand.self,
            ExportCommand.self, GenerateCommand.self, ModelCommand.self,
        ])

    package init() {}
}
