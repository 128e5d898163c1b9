import ApplicationCompiler
import Foundation

extension Compiler {
    /// Compiles a program beside another module, which it may import, and returns the messages of the errors.
    ///
    /// - Parameters:
    ///   - other: The source of the other module.
    ///   - name: The name of the other module.
    func errors(in source: String, beside other: String, named name: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let file = folder.file("\(name).swift")
        try Data(other.utf8).write(to: file)
        let output = try run([
            "-emit-module", "-swift-version", "6", "-module-name", name, "-parse-as-library", "-o",
            folder.file("\(name).swiftmodule").path, file.path,
        ])
        if output.contains("error:") { throw Unavailable(description: output) }
        return try diagnostics(in: source, .nonisolated, arguments: ["-I", folder.url.path]).filter(\.isError)
            .map(\.message)
    }
}
