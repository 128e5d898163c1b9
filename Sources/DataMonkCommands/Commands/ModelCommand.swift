package import ArgumentParser
import DataMonkCore
import Foundation

/// **Value.** `datamonk model`: shows, compares, draws and exports models.
package struct ModelCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Shows, compares, draws and exports models.",
        subcommands: [Print.self, Difference.self, Graph.self, Export.self])

    package init() {}

    /// Runs a command that makes a text.
    fileprivate static func outcome(_ body: () throws -> String) -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            outcome.output = try body()
        } catch {
            outcome.error = StoreInspection.message(of: error)
            outcome.status = ExitStatus(writing: error)
        }
        return outcome
    }
}

extension ModelCommand {
    /// **Value.** `datamonk model print`: lists a model.
    package struct Print: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "print", abstract: "Lists the entities of a model with their properties.")

        @OptionGroup var source: ModelArguments

        package init() {}

        package func run() throws { try outcome().finish() }

        package func outcome() -> CommandOutcome {
            ModelCommand.outcome {
                let loaded = try source.load()
                return ModelListing(model: loaded.model, title: loaded.title).text
            }
        }
    }

    /// **Value.** `datamonk model diff`: compares two versions.
    package struct Difference: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compares two versions of a model, and says what a migration makes of the differences.",
            discussion: """
                Give two models, or one with --from and --to. What migrates by inference needs nothing more. What needs a \
                mapping is listed with the reason. What a store would lose is listed, too: a migration discards it only \
                with permission.

                Exit codes: 0 if stores of one version open with the other, or migrate by inference without a loss; 1 if \
                they need a mapping, or would lose something; 64 for wrong arguments; 65 if a model is damaged; 66 if a \
                file or a version is missing or cannot be read.
                """)

        @Argument(help: "The old version, or the model with both.", completion: .file())
        var old: String

        @Argument(help: "The new version, if it is in another model.", completion: .file())
        var new: String?

        @Option(help: "The name of the old version.")
        var from: String?

        @Option(help: "The name of the new version, if not the current one.")
        var to: String?

        package init() {}

        package func validate() throws {
            try ServerStoreMigration.requireFiles(old, new)
            if new == nil, from == nil, to == nil {
                throw ValidationError("Give a second model, or the names of two versions by --from and --to.")
            }
        }

        package func run() throws { try outcome().finish() }

        package func outcome() -> CommandOutcome {
            var hasObstacle = false
            var outcome = ModelCommand.outcome {
                let (before, after) = (
                    try LoadedModel(at: old, version: from), try LoadedModel(at: new ?? old, version: to)
                )
                let difference = ModelDifference(from: before.model, to: after.model)
                hasObstacle = difference.hasObstacle
                return "\(before.title) → \(after.title)\n\n\(difference.text)"
            }
            if hasObstacle { outcome.status = .findings }
            return outcome
        }
    }

    /// **Value.** `datamonk model graph`: draws a model.
    package struct Graph: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "graph", abstract: "Draws a model: entities, attributes, inheritance and relationships.")

        @OptionGroup var source: ModelArguments

        @Option(help: "The form of the drawing.")
        var form = ModelGraph.Form.mermaid

        package init() {}

        package func run() throws { try outcome().finish() }

        package func outcome() -> CommandOutcome {
            ModelCommand.outcome { ModelGraph(try source.load().model).text(in: form) }
        }
    }

    /// **Value.** `datamonk model export`: writes a model file for Xcode.
    package struct Export: ParsableCommand {
        package static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes a model file for Xcode, from a store, a compiled model or another model file.",
            discussion: """
                The model inside a store becomes an .xcdatamodeld with equal version hashes. What the form has no place \
                for is listed. For the model of classes, call writeModelFile(to:) in a program that has them.
                """)

        @OptionGroup var source: ModelArguments

        @Argument(help: "The folder to create, an .xcdatamodeld or .xcdatamodel.", completion: .directory)
        var target: String

        package init() {}

        package func run() throws { try outcome().finish() }

        package func outcome() -> CommandOutcome {
            ModelCommand.outcome {
                let omissions = try source.load().model.writeModelFile(to: URL(filePath: target))
                return "Written to \(target).\n" + omissions.map { "Left out: \($0)\n" }.joined()
            }
        }
    }
}

extension ModelGraph.Form: ExpressibleByArgument {}
