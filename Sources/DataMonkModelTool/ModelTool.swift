import DataMonkCore
import DataMonkGeneration
import Foundation

/// **Value.** The tool of the build plugin: writes the classes that a model asks for into one file.
///
///     DataMonkModelTool Shop.xcdatamodeld ShopClasses.swift
///
/// Everything that is wrong is reported as compilers do it: `contents:12:5: error: …`.
@main
struct ModelTool {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            report("error: Expected a model and a file to write, found \(arguments.count - 1) arguments.")
            exit(64)
        }
        let (source, target) = (URL(filePath: arguments[1]), URL(filePath: arguments[2]))
        do {
            try write(source, to: target)
        } catch let error as ModelError {
            for line in ModelDiagnostics(error, inModelAt: source).lines { report(line) }
            exit(1)
        } catch {
            report("\(target.path): error: The file cannot be written: \(error.localizedDescription)")
            exit(1)
        }
    }

    private static func write(_ source: URL, to target: URL) throws {
        let model = try ModelBundle(contentsOf: source).model()
        let classes = try ModelClasses(
            model, named: source.deletingPathExtension().lastPathComponent, source: source.lastPathComponent,
            // Plain code compiles without the trait `Macros`.
            style: .plain, access: ClassAccess.wanted(by: model))
        let text = Data(classes.fileForBuild.text.utf8)
        // A file with the same text keeps its date, so that nothing is compiled again.
        if FileManager.default.contents(atPath: target.path) == text { return }
        try text.write(to: target, options: .atomic)
    }

    private static func report(_ line: String) {
        // Reason for try?: there is no other place to report a failure.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
