#if Macros && os(Linux)
    import ApplicationCompiler
    import Foundation
    import Testing

    /// The providers that are compiled only where there is UIKit, compiled over a stand-in of it.
    ///
    /// A target named UIKit would let every module of the package find it, depending on the order in which they are built.
    /// So the compiler is called here: it makes a module of the stand-in, and a program of that, of the sources of the
    /// providers, and of the manual's view controller.
    @Suite struct `Providers over a stand-in of UIKit` {
        @Test(.timeLimit(.minutes(60))) func `the manual's program compiles, and its views follow commits`() throws {
            let folder = try TemporaryFolder()
            let compiler = try Compiler()
            let sources = URL(filePath: #filePath).appending(path: "../../../../").standardized
            let tests = sources.appending(path: "Tests/DataMonkTests")
            let module = try compiler.compile(
                ["-parse-as-library", "-module-name", "UIKit", "-emit-object", "-wmo", "-emit-module-path"]
                    + [folder.file("UIKit.swiftmodule").path],
                ["UIView", "UITableView", "UICollectionView", "DrawnRows"].map {
                    tests.appending(path: "Lists/UIKit/\($0).swift")
                } + [tests.appending(path: "FetchedResults/StrictRows.swift")],
                to: folder.file("UIKit.o"))
            #expect(module == "")
            let providers = ["TableViewDataProvider", "CollectionViewDataProvider"].map {
                sources.appending(path: "Sources/DataMonk/Lists/UIKit/\($0).swift")
            }
            let program = folder.file("Program")
            let output = try compiler.compile(
                ["-parse-as-library", "-module-name", "Program", "-I", folder.url.path, "-wmo"]
                    // What the sources find in their own module.
                    + ["-Xfrontend", "-import-module", "-Xfrontend", "DataMonk"]
                    + ["-enable-upcoming-feature", "InternalImportsByDefault"]
                    + ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]
                    + [folder.file("UIKit.o").path] + compiler.librariesAndObjects(),
                providers + [tests.appending(path: "Lists/UIKit/Program.swift")], to: program)
            // The sources are of DataMonk, which may make its own protocols conform.
            #expect(!output.contains("error:"), "\(output)")
            #expect(
                try run(program) == """
                    [["Farmer", "Knight", "Monk"]] [["Knight"], ["Farmer", "Monk"]]
                    [["Knight", "Monk", "Prior"]] [["Knight", "Monk", "Prior"]]
                    not deletable
                    ["b"]
                    the header
                    [["other Prior"]]
                    released

                    """)
        }

        private func run(_ program: URL) throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = program
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return String(decoding: data, as: UTF8.self)
        }
    }
#endif
