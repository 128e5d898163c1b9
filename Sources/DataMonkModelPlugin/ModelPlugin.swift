import Foundation
import PackagePlugin

/// **Value.** Makes classes of the `.xcdatamodeld` folders among a target's sources, at build time.
///
/// Each model has one file of classes, `ShopClasses.swift` for `Shop.xcdatamodeld`, which is made again when a file of the
/// model has changed. What the entities ask for in Xcode (Class Definition, Category/Extension, Manual/None) decides what it
/// contains. Two models of one name in a target are an error, because they would have the same file.
@main
struct ModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "DataMonkModelTool").url
        let models = target.sourceFiles.map(\.url).filter {
            ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension)
        }
        // Some disks do not distinguish small and capital letters.
        let byName = Dictionary(grouping: models) { name(of: $0).lowercased() }
        for (_, namesakes) in byName.sorted(by: { $0.key < $1.key }) where namesakes.count > 1 {
            let paths = namesakes.map(\.path).sorted().joined(separator: " and ")
            Diagnostics.error("The classes of \(paths) would have the same file. Rename one of the models.")
        }
        return byName.values.compactMap { $0.count == 1 ? $0[0] : nil }.sorted { $0.path < $1.path }.map { model in
            let name = self.name(of: model)
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)Classes.swift")
            return .buildCommand(
                displayName: "Making the classes of \(model.lastPathComponent)", executable: tool,
                arguments: [model.path, output.path], inputFiles: [model] + files(in: model), outputFiles: [output])
        }
    }

    private func name(of model: URL) -> String { model.deletingPathExtension().lastPathComponent }

    /// Returns the files of a model, down to the contents of its versions.
    private func files(in model: URL) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: model.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().map { model.appending(path: $0) }.filter { !$0.hasDirectoryPath }
    }
}
