package import ArgumentParser

/// **Value.** The program `datamonk`.
package struct DataMonkCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "datamonk",
        abstract: "Inspects, examines, repairs and copies stores of DataMonk or Core Data, and works on models.",
        subcommands: [
            InspectCommand.self, DoctorCommand.self, BackupCommand.self, GenerateCommand.self, ModelCommand.self,
        ])

    package init() {}
}
