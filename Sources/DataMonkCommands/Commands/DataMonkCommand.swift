package import ArgumentParser

/// **Value.** The program `datamonk`.
package struct DataMonkCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "datamonk",
        abstract: "Inspects and copies stores that DataMonk or Core Data wrote.",
        subcommands: [InspectCommand.self, BackupCommand.self])

    package init() {}
}
