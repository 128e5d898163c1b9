import Foundation
import PackagePlugin

/// **Value.** Makes classes of the `.xcdatamodeld` folders among a target's sources, at build time.
///
/// Each model has one file of classes, `ShopClasses.swift` for `Shop.xcdatamodeld`, which is made again when a file of the
/// model has changed. What the entities ask for in Xcode (Class Definition, Category/Extension, Manual/None) decides what it
/// contains.
@main
struct ModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "DataMonkModelTool").url
        let models = target.sourceFiles.map(\.url).filter {
            ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension)
        }
        return models.map { model in
            let name = model.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)Classes.swift")
            return .buildCommand(
                displayName: "Making the classes of \(model.lastPathComponent)", executable: tool,
                arguments: [model.path, output.path], inputFiles: [model] + files(in: model), outputFiles: [output])
        }
    }

    /// Returns the files of a model, down to the contents of its versions.
    private func files(in model: URL) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: model.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().map { model.appending(path: $0) }.filter { !$0.hasDirectoryPath }
    }
}
