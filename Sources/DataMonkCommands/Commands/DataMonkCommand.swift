package import ArgumentParser

/// **Value.** The program `datamonk`.
package struct DataMonkCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "datamonk",
        abstract: "Inspects, examines, repairs, copies, fills and exports stores that DataMonk or Core Data wrote.",
        subcommands: [
            InspectCommand.self, DoctorCommand.self, BackupCommand.self, ImportCommand.self, ExportCommand.self,
        ])

    package init() {}
}
