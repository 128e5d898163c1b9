package import ArgumentParser

/// **Value.** The program `datamonk`.
package struct DataMonkCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "datamonk",
        abstract: "Inspects, examines, repairs, copies and migrates stores that DataMonk or Core Data wrote.",
        subcommands: [InspectCommand.self, DoctorCommand.self, BackupCommand.self, MigrateCommand.self])

    package init() {}
}
