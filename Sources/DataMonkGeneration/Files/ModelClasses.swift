package import DataMonkCore

/// **Value.** The source code of a model's classes.
///
/// ```
/// model ── ClassPlan ──> GeneratedClass, GeneratedEnum ── ClassFile, PropertiesFile, EnumFile ──> text
/// ```
/// `ClassPlan` decides what a class has, and knows the model; the files decide how it is written, and know Swift.
package struct ModelClasses {
    private let plan: ClassPlan
    private let source: String
    private let style: ClassStyle
    private let access: ClassAccess

    /// Describes the classes of a model.
    ///
    /// - Parameters:
    ///   - name: The name of the model, without an extension.
    ///   - source: The name of the model's file, for the first line of each file.
    /// - Throws: `ModelError` with every name that Swift or managed objects do not allow.
    package init(
        _ model: ManagedObjectModel, named name: String, source: String, style: ClassStyle,
        access: ClassAccess = .internal
    ) throws(ModelError) {
        plan = try ClassPlan(model, named: name, style: style)
        // A file's name may contain line breaks, which would end the comment.
        self.source = String(source.map { $0.unicodeScalars.contains(where: \.isInvisible) ? "?" : $0 })
        self.style = style
        self.access = access
    }

    /// The parts of the model that the classes do not declare, each with its place: a model of the classes alone does not
    /// have them.
    package var omissions: [String] { plan.omissions }

    /// The files for a folder of source code: for each class one that is yours and one that is written each time, one for
    /// each enum, and the list of the classes.
    package var files: [GeneratedFile] {
        var files: [GeneratedFile] = []
        for each in plan.classes {
            let file = ClassFile(plan: each, names: plan.names, access: access)
            files.append(GeneratedFile(name: "\(each.name).swift", text: file.text, isWrittenOnce: true))
            files.append(generated("\(each.name)+Properties.swift", body: propertiesFile(of: each).write))
        }
        for each in plan.enums {
            files.append(
                generated("\(each.name).swift", body: EnumFile(plan: each, names: plan.names, access: access).write))
        }
        return files + [generated("\(plan.modelName)Classes.swift") { writeList(of: plan.classes, to: &$0) }]
    }

    /// One file with what the model asks to have generated, for a build. The list has every class that the model names,
    /// because those that are written by hand belong to the model, too.
    package var fileForBuild: GeneratedFile {
        let wanted = plan.classes.filter { $0.codeGeneration != .manual }
        return generated("\(plan.modelName)Classes.swift") { text in
            for each in wanted {
                if each.codeGeneration == .classDefinition {
                    ClassFile(plan: each, names: plan.names, access: access).write(to: &text)
                    text.line()
                }
                propertiesFile(of: each).write(to: &text)
                text.line()
            }
            let enums = Set(wanted.flatMap(\.enumNames))
            for each in plan.enums where enums.contains(each.name) {
                EnumFile(plan: each, names: plan.names, access: access).write(to: &text)
                text.line()
            }
            writeList(of: plan.classes.filter { $0.codeGeneration != .manual || $0.isNamedByModel }, to: &text)
        }
    }

    private func propertiesFile(of each: GeneratedClass) -> PropertiesFile {
        PropertiesFile(plan: each, names: plan.names, style: style, access: access)
    }

    private func generated(_ name: String, body: (inout SwiftText) -> Void) -> GeneratedFile {
        let lines = SwiftText.collecting(body)
        var text = SwiftText()
        text.line("\(GeneratedFile.mark)\(source). It is written again each time: do not edit it.")
        text.line()
        text.line("\(access.prefix)import DataMonk")
        // A public import that no signature needs would be a warning.
        if SwiftText.needsFoundation(lines) {
            let isInSignature = SwiftText.needsFoundation(lines.filter { $0.contains(" \(access.prefix)") })
            text.line("\(isInSignature ? access.prefix : "")import Foundation")
        }
        text.line()
        for line in lines { text.line(line) }
        return GeneratedFile(name: name, text: text.text, isWrittenOnce: false)
    }

    private func writeList(of classes: [GeneratedClass], to text: inout SwiftText) {
        let type = plan.names.type("ManagedObject")
        text.documentation("The classes of the model, for a stack or a model that is loaded from its file.")
        text.block("\(access.prefix)nonisolated enum \(plan.modelName)Classes") { text in
            text.documentation("All classes, by the names of their entities.")
            text.block("\(access.prefix)static var all: [\(type).Type]") { text in
                if classes.isEmpty { return text.line("[]") }
                text.line("[")
                text.indented { text in
                    for each in classes {
                        text.line("\(SwiftNames.identifier(each.name)).self\(classes.count > 1 ? "," : "")")
                    }
                }
                text.line("]")
            }
        }
    }
}

extension Unicode.Scalar {
    /// A Boolean value indicating whether the scalar ends a line, or changes how the text around it looks.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
