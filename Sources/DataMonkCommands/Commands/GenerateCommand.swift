package import ArgumentParser
import DataMonkCore
import DataMonkGeneration
import Foundation

/// **Value.** `datamonk generate`: writes the classes of a model.
package struct GenerateCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the classes of a model's entities.",
        discussion: """
            For each entity there are two files. Person.swift has the class: it is written once and then yours, for \
            functions and overrides. Person+Properties.swift has the properties and what belongs to them; it is written \
            each time, so that it follows the model. Enums and the list of the classes have files of their own.

            The user info of an attribute with the key enum names the type of its property. With the key cases, such as \
            novice=0, monk=1, the enum is written too. The key documentation has the documentation of an entity or a \
            property.

            A program can make the model of its classes alone. What a class cannot declare, such as a descending index, is \
            listed as left out. A model that is loaded from its file, with the classes, has it all.

            Everything is checked first: a name that Swift or managed objects do not allow, or a file in the way that was \
            not generated, is an error, and nothing is written.

            Exit codes: 0 for success; 64 for wrong arguments; 65 if the model is damaged, or no classes can be made of \
            it; 66 if it is missing or cannot be read; 73 if a file is in the way or cannot be written.
            """)

    @OptionGroup var source: ModelArguments

    @Option(name: [.short, .long], help: "The folder for the files.", completion: .directory)
    var output = "."

    @Option(help: "The style of the properties: with the macros, or as plain Swift that needs none.")
    var style = ClassStyle.macro

    @Option(help: "The access level of the classes and their members.")
    var access = ClassAccess.internal

    package init() {}

    package func run() throws { try outcome().finish() }

    package func outcome() -> CommandOutcome {
        var outcome = CommandOutcome()
        do {
            let loaded = try source.load()
            let classes = try ModelClasses(
                loaded.model, named: loaded.name, source: loaded.source, style: style, access: access)
            let changes = try GeneratedFolder(URL(filePath: output)).write(classes.files)
            outcome.output = Self.text(of: changes) + Self.text(ofOmissions: classes.omissions)
        } catch {
            outcome.error = StoreInspection.message(of: error)
            outcome.status = ExitStatus(writing: error)
        }
        return outcome
    }

    private static func text(of changes: [GeneratedFolder.Change]) -> String {
        guard changes.contains(where: { $0.kind != .unchanged && $0.kind != .kept }) else {
            return "Nothing has changed.\n"
        }
        return changes.filter { $0.kind != .unchanged }.map { change in
            let hint =
                switch change.kind {
                case .created, .updated, .unchanged: ""
                case .kept: ", which is yours: the class has to be in it"
                case .obsolete: ", of no entity of the model any more: remove it"
                }
            return "\(change.kind) \(change.name)\(hint)\n"
        }.joined()
    }

    private static func text(ofOmissions omissions: [String]) -> String {
        omissions.map { "Left out: \(ValueText.visible($0))\n" }.joined()
    }
}

extension ClassStyle: ExpressibleByArgument {}
extension ClassAccess: ExpressibleByArgument {}
