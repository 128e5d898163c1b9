package import Foundation

/// **Value.** The Swift compiler, set up to compile an application against the modules this test was built with.
package struct Compiler: Sendable {
    /// **Value.** One line of the compiler's output.
    package struct Diagnostic: Sendable, CustomStringConvertible {
        package let file: String
        package let message: String
        /// The compiler's own name of the diagnostic.
        package let name: String
        /// False for a warning.
        package let isError: Bool

        package var description: String { "\(file): \(isError ? "error" : "warning"): \(message) [\(name)]" }
    }

    /// **Value.** Why nothing could be compiled.
    package struct Unavailable: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private let executable: URL
    private let arguments: [String]

    /// Looks for the compiler and the modules.
    ///
    /// - Throws: ``Unavailable`` with what is missing.
    package init() throws {
        executable = try Self.findCompiler()
        let products = try Self.findProducts()
        arguments =
            ["-I", products.appending(path: "Modules").path(percentEncoded: false)]
            + Self.moduleMaps(of: products).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
            + Self.plugin(in: products)
    }

    /// Compiles a program as far as errors are found, and returns the errors.
    ///
    /// - Parameter frontendArguments: further arguments of the compiler proper.
    package func errors(
        in source: String, _ mode: IsolationMode, languageMode: Int = 6, frontendArguments: [String] = []
    ) throws -> [Diagnostic] {
        try diagnostics(
            in: source, mode, languageMode: languageMode,
            arguments: frontendArguments.flatMap { ["-Xfrontend", $0] }
        ).filter(\.isError)
    }

    /// Compiles a program through SIL, where regions are checked, and returns the errors and the warnings.
    ///
    /// - Parameters:
    ///   - isMain: Whether the program is a `main.swift`, with statements outside of functions.
    ///   - further: further arguments.
    package func diagnostics(
        in source: String, _ mode: IsolationMode, languageMode: Int = 6, isMain: Bool = false,
        arguments further: [String] = []
    ) throws -> [Diagnostic] {
        try diagnostics(
            inFiles: [isMain ? "main.swift" : "Application.swift": source], mode,
            arguments: ["-swift-version", "\(languageMode)"] + (isMain ? [] : ["-parse-as-library"]) + further)
    }

    /// Compiles the files of a module, by name, as far as errors are found, and returns the errors. A library: there are no
    /// statements outside of functions.
    package func errors(inFiles sources: [String: String], _ mode: IsolationMode) throws -> [Diagnostic] {
        try diagnostics(
            inFiles: sources, mode,
            arguments: ["-swift-version", "6", "-parse-as-library", "-whole-module-optimization"]
        ).filter(\.isError)
    }

    private func diagnostics(
        inFiles sources: [String: String], _ mode: IsolationMode, arguments further: [String]
    ) throws -> [Diagnostic] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "DataMonkIsolation-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A temporary folder that stays behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try sources.keys.sorted().map { name in
            let file = folder.appending(path: name)
            try Data((sources[name] ?? "").utf8).write(to: file)
            return file.path(percentEncoded: false)
        }
        let output = try run(
            arguments + mode.compilerArguments + [
                "-module-name", "Application", "-emit-sil", "-o", "/dev/null", "-diagnostic-style", "llvm",
                "-Xfrontend",
                "-debug-diagnostic-names",
            ] + further + files)
        return Self.diagnostics(in: output)
    }

    /// Reads `<file>:<line>:<column>: error: <message> [<name>]`, and for the like in a macro's expansion the note behind
    /// it, which names the file.
    private static func diagnostics(in output: String) -> [Diagnostic] {
        let form = /(?<file>.*?):\d+:\d+: (?<kind>error|warning|note): (?<message>.*?) \[(?<name>\w+)\].*/
        var found: [Diagnostic] = []
        var inMacro: [Diagnostic] = []
        for line in output.split(separator: "\n") {
            guard let match = line.wholeMatch(of: form) else {
                if line.contains("error: ") {
                    found.append(Diagnostic(file: "", message: String(line), name: "", isError: true))
                }
                continue
            }
            let diagnostic = Diagnostic(
                file: String(match.file), message: String(match.message), name: String(match.name),
                isError: match.kind == "error")
            if match.file.contains("@__swiftmacro_"), match.kind != "note" {
                inMacro.append(diagnostic)
            } else if match.kind != "note" {
                found.append(diagnostic)
            } else if match.name == "in_macro_expansion", let expanded = inMacro.popLast() {
                found.append(
                    Diagnostic(
                        file: diagnostic.file, message: expanded.message, name: expanded.name, isError: expanded.isError
                    ))
            }
        }
        return found + inMacro
    }

    /// Compiles files with the modules this test was built with, and returns what the compiler says.
    package func compile(_ options: [String], _ files: [URL], to output: URL) throws -> String {
        try run(
            arguments + ["-swift-version", "6", "-o", output.path(percentEncoded: false)] + options
                + files.map { $0.path(percentEncoded: false) })
    }

    /// The objects of DataMonk and of what it depends on, as an example's program is linked of them, and the system's
    /// libraries.
    package func librariesAndObjects() throws -> [String] {
        let list = try Self.findProducts().appending(path: "AutoMerge.product/Objects.LinkFileList")
        let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map { line in
            line.trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
        }
        let own = ["/AutoMerge.build/", "/Accounts.build/", "/ExampleChecks.build/"]
        // Objects with AddressSanitizer, as this process is of then, need its library.
        let sanitizers = dlsym(dlopen(nil, RTLD_NOW), "__asan_init") == nil ? [] : ["-sanitize=address"]
        return objects.filter { object in !own.contains { object.contains($0) } } + ["-lsqlite3", "-lz"] + sanitizers
    }

    /// The process's error output, which is where the diagnostics go.
    package func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

// MARK: Finding things

extension Compiler {
    private static func findCompiler() throws -> URL {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: String($0)) }
        let candidates =
            [environment["SWIFT_EXEC"].map { URL(filePath: $0) }].compactMap(\.self)
            + folders.map { $0.appending(path: "swiftc") }
        guard let found = candidates.first(where: { isExecutable($0) }) else {
            throw Unavailable(description: "There is no swiftc on the PATH: the compiler's refusals were not tested.")
        }
        return found
    }

    /// The folder with the modules and the test program, which is the program that runs this.
    private static func findProducts() throws -> URL {
        var candidates = CommandLine.arguments.map { URL(filePath: $0) }
        candidates += [Bundle.main.executableURL].compactMap(\.self)
        for candidate in candidates {
            var folder = candidate.resolvingSymlinksInPath()
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                let module = folder.appending(path: "Modules/DataMonk.swiftmodule")
                if FileManager.default.fileExists(atPath: module.path(percentEncoded: false)) { return folder }
            }
        }
        throw Unavailable(
            description: "The modules that this test was built with are not beside it: "
                + "the compiler's refusals were not tested. Looked from \(candidates).")
    }

    private static func isExecutable(_ url: URL) -> Bool {
        FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false))
    }

    /// Where the C modules are described that DataMonk's modules import.
    private static func moduleMaps(of products: URL) -> [String] {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        return ["CPostgres", "CSQLite", "CZlib"]
            .map { sources.appending(path: "\($0)/module.modulemap").path(percentEncoded: false) }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    private static func plugin(in products: URL) -> [String] {
        #if Macros
            // If another build has compiled the macros, these products have none; see Package.swift.
            let tool =
                ProcessInfo.processInfo.environment["DATAMONK_COMPILED_MACROS"]
                ?? products.appending(path: "DataMonkMacros-tool").path(percentEncoded: false)
            return ["-load-plugin-executable", "\(tool)#DataMonkMacros"]
        #else
            return []
        #endif
    }
}
