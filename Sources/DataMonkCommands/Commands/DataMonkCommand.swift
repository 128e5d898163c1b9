package import ArgumentParser

/// **Value.** The program `datamonk`.
package struct DataMonkCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "datamonk",
        abstract: "Inspects, examines, repairs and copies stores that DataMonk or Core Data wrote.",
        subcommands: [InspectCommand.self, DoctorCommand.self, BackupCommand.self])

    package init() {}
}
