// swift-tools-version:6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let package = Package(
    name: "DataMonk",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "DataMonk", targets: ["DataMonk"]),
        .library(name: "DataMonkTesting", targets: ["DataMonkTesting"]),
        .executable(name: "datamonk", targets: ["DataMonkCLI"]),
        .plugin(name: "DataMonkModelPlugin", targets: ["DataMonkModelPlugin"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "`@Entity` and its companions. Needs swift-syntax, which takes a while to build."),
        .trait(
            name: "OwnerChecks",
            description:
                "Stops a program in release builds too where it uses an object outside of the object's context."),
        .trait(
            name: "Postgres",
            description: "`Stack.addServerStore`, a store on a PostgreSQL server. Needs libpq."),
        .default(enabledTraits: ["Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Other packages with macros need one version with this one, so the range is as wide as the interfaces in use allow.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        // The engine: model, objects, contexts, saving, queries, the stores' contract. Knows no SQL.
        .target(
            name: "DataMonkCore",
            dependencies: [.product(name: "DequeModule", package: "swift-collections")]),

        // The system's zlib (Debian: zlib1g-dev): the models inside stores are compressed.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Core Data's schema in SQL, conditions to SQL, loading and saving of rows. Knows no driver.
        .target(name: "DataMonkSQL", dependencies: ["CZlib", "DataMonkCore"]),

        // The system's libsqlite3 (Debian: libsqlite3-dev).
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

        // The embedded store: connections, statements, functions, files.
        .target(name: "DataMonkSQLite", dependencies: ["CSQLite", "DataMonkCore", "DataMonkSQL"]),

        // The system's libpq (Debian: libpq-dev).
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

        // The store on a server: connections, tables. Without the trait nothing is compiled, and libpq need not be there.
        .target(
            name: "DataMonkPostgres",
            dependencies: [
                .target(name: "CPostgres", condition: .when(traits: ["Postgres"])), "DataMonkCore",
                "DataMonkSQL",
            ]),

        // What `@Entity` and its companions expand to. A library, because whatever depends on a macro is built for tools:
        // with its tests, the engine and all other tests would be compiled a second time.
        .target(
            name: "DataMonkMacroExpansion",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: .when(traits: ["Macros"]))
            ]),

        // The macros, as a compiler plugin.
        .macro(
            name: "DataMonkMacros",
            dependencies: [
                .target(name: "DataMonkMacroExpansion", condition: .when(traits: ["Macros"])),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: .when(traits: ["Macros"])),
            ]),

        // What an application imports: stack, contexts, updates, the query operators.
        .target(
            name: "DataMonk",
            dependencies: [
                "DataMonkCore", "DataMonkSQLite",
                .target(name: "DataMonkPostgres", condition: .when(traits: ["Postgres"])),
                .target(name: "DataMonkMacros", condition: .when(traits: ["Macros"])),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // The source code of classes, from a model.
        .target(name: "DataMonkGeneration", dependencies: ["DataMonkCore"]),

        // Classes of the models among a target's sources, at build time. The tool knows no store, but the package manager
        // compiles what tools need apart from what programs need, so there is a second build of the engine wherever the
        // plugin is used. Only a module of the model alone would spare it: a model names the classes of objects, whose
        // behavior is the rest of the engine.
        .executableTarget(name: "DataMonkModelTool", dependencies: ["DataMonkCore", "DataMonkGeneration"]),
        .plugin(
            name: "DataMonkModelPlugin", capability: .buildTool(), dependencies: ["DataMonkModelTool"],
            path: "Sources/DataMonkModelPlugin"),

        // What the program `datamonk` does, where tests reach it.
        .target(
            name: "DataMonkCommands",
            dependencies: [
                "DataMonk", "DataMonkCore", "DataMonkGeneration", "DataMonkSQL", "DataMonkSQLite",
                .target(name: "DataMonkPostgres", condition: .when(traits: ["Postgres"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The program. Names of modules must not differ by case alone.
        .executableTarget(
            name: "DataMonkCLI",
            dependencies: ["DataMonkCommands", .product(name: "ArgumentParser", package: "swift-argument-parser")]),

        // For tests: stacks and objects, waiting for lists, a recorder of statements, disks that fail; the stores' contract
        // and seeded exploration for DataMonk's own.
        .target(
            name: "DataMonkTesting", dependencies: ["CSQLite", "DataMonk", "DataMonkCore", "DataMonkSQLite"]),

        // For tests: the files that belong to others, which Tests/Fixtures/fetch gets.
        .target(name: "DataMonkFixtures", path: "Tests/Fixtures", exclude: ["fetch", "manifest.tsv"]),

        // For tests: the compiler, for code that it has to accept or to refuse.
        .target(name: "ApplicationCompiler", path: "Tests/Compiler"),

        // What dpkg and apt write, read: the part of the example `Packages` that knows no store.
        .target(name: "DebianPackages", path: "Examples/Packages/DebianPackages"),

        // Debian's package database as a graph, loaded by many updates at once. The examples see what users see.
        .target(
            name: "PackageCatalog",
            dependencies: [
                "DataMonk", "DebianPackages",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/Packages/Catalog", packageAccess: false),
        .executableTarget(
            name: "Packages",
            dependencies: ["PackageCatalog", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/Packages/Program", packageAccess: false),

        // The manual's story, from an empty directory to printed results.
        .executableTarget(
            name: "Tour",
            dependencies: ["DataMonk", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Examples/Tour", packageAccess: false),

        // What an example says of itself, and checks.
        .target(name: "ExampleChecks", path: "Examples/Checks", packageAccess: false),

        // The set-ups of the article of that name, a program each, and their model.
        .target(name: "Accounts", dependencies: ["DataMonk"], path: "Examples/Setups/Accounts", packageAccess: false),
        setup("ThreeTiers"), setup("AutoMerge"), setup("ManualReload"), setup("Screens"),

        // A feed reader: imports that meet, a list that follows, a draft with undo. Its tests are those of an application.
        .target(
            name: "FeedLibrary", dependencies: ["DataMonk"], path: "Examples/FeedReader/Library", packageAccess: false),
        .executableTarget(
            name: "FeedReader", dependencies: ["DataMonk", "ExampleChecks", "FeedLibrary"],
            path: "Examples/FeedReader/Program", packageAccess: false),
        .testTarget(
            name: "FeedReaderTests", dependencies: ["DataMonk", "DataMonkTesting", "FeedLibrary"],
            path: "Examples/FeedReader/Tests", packageAccess: false),

        // A list in the terminal that is drawn anew while updates commit behind it.
        .target(
            name: "JobBoard", dependencies: ["DataMonk"], path: "Examples/LiveList/Library", packageAccess: false),
        .executableTarget(
            name: "LiveList",
            dependencies: [
                "DataMonk", "JobBoard", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/LiveList/Program", packageAccess: false),
        .testTarget(
            name: "LiveListTests", dependencies: ["DataMonk", "DataMonkTesting", "JobBoard", "LiveList"],
            path: "Examples/LiveList/Tests", packageAccess: false),

        // A store of one's own: a folder of JSON files, and the stores' contract as its test.
        .target(
            name: "JSONFolderStore", dependencies: ["DataMonk"], path: "Examples/CustomStore/Library",
            packageAccess: false),
        .executableTarget(
            name: "CustomStore", dependencies: ["Accounts", "DataMonk", "ExampleChecks", "JSONFolderStore"],
            path: "Examples/CustomStore/Program", packageAccess: false),
        .testTarget(
            name: "CustomStoreTests", dependencies: ["DataMonk", "DataMonkTesting", "JSONFolderStore"],
            path: "Examples/CustomStore/Tests", packageAccess: false),

        // A model of Xcode's, of which the build makes classes.
        .target(
            name: "WorkshopModel", dependencies: ["DataMonk"], path: "Examples/Workshop/Library", packageAccess: false,
            plugins: ["DataMonkModelPlugin"]),
        .executableTarget(
            name: "Workshop", dependencies: ["DataMonk", "ExampleChecks", "WorkshopModel"],
            path: "Examples/Workshop/Program", packageAccess: false),

        // A server without its network: requests at once, deadlines, errors as statuses, a clean end.
        .executableTarget(
            name: "Server", dependencies: ["DataMonk", "ExampleChecks"], path: "Examples/Server",
            packageAccess: false),

        // Concurrent updates under check, for as long as you like.
        .target(
            name: "StressWorkloads", dependencies: ["DataMonk", "DataMonkTesting"],
            path: "Examples/StressTest/Workloads", packageAccess: false),
        .executableTarget(
            name: "StressTest",
            dependencies: [
                "DataMonk", "StressWorkloads", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/StressTest/Program", packageAccess: false),
        .testTarget(
            name: "StressTests", dependencies: ["DataMonk", "StressWorkloads"], path: "Examples/StressTest/Tests",
            packageAccess: false),

        .testTarget(
            name: "PackagesTests", dependencies: ["DataMonk", "DebianPackages", "PackageCatalog"],
            path: "Examples/Packages/Tests", packageAccess: false),
        // The rules of the house that a program can check, and the snippets of the documentation as compiled code.
        .testTarget(name: "HouseTests", dependencies: ["DataMonk", "DataMonkFixtures", "DataMonkTesting"]),
        // CoreDataMonk's manual, as a program in Swift 5 mode would have it: there, objects in callbacks are warnings.
        .testTarget(
            name: "ManualTests", dependencies: ["DataMonk"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "DataMonkCoreTests", dependencies: ["DataMonkCore", "DataMonkFixtures", "DataMonkTesting"]),
        .testTarget(
            name: "DataMonkSQLTests",
            dependencies: ["DataMonkSQL", "DataMonkCore", "DataMonkFixtures", "DataMonkTesting"]),
        .testTarget(
            name: "DataMonkSQLiteTests",
            dependencies: ["DataMonkSQLite", "DataMonkSQL", "DataMonkCore", "DataMonkFixtures", "DataMonkTesting"]),
        .testTarget(
            name: "DataMonkPostgresTests",
            dependencies: ["DataMonk", "DataMonkCore", "DataMonkPostgres", "DataMonkTesting"]),
        .testTarget(
            name: "DataMonkCommandsTests",
            dependencies: [
                "DataMonkCommands", "DataMonkCore", "DataMonkFixtures", "DataMonkGeneration", "DataMonkSQLite",
                "DataMonkTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "DataMonkTests",
            dependencies: [
                "ApplicationCompiler", "DataMonk", "DataMonkFixtures", "DataMonkGeneration", "DataMonkSQLite",
                "DataMonkTesting",
            ],
            // A test compiles these files by itself.
            exclude: ["Lists/UIKit"]),
        .testTarget(
            name: "DataMonkMacrosTests",
            dependencies: [
                "ApplicationCompiler",
                .target(name: "DataMonkMacroExpansion", condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftSyntaxMacrosTestSupport", package: "swift-syntax", condition: .when(traits: ["Macros"])),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

/// An example of a set-up: a program over the accounts.
func setup(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Accounts", "DataMonk", "ExampleChecks"], path: "Examples/Setups/\(name)",
        packageAccess: false)
}

extension Package {
    /// Leaves targets, and what they depend on.
    func keepOnly(_ names: [String]) {
        var kept: Set<String> = []
        var names = names
        while let name = names.popLast() {
            guard kept.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
            for case .targetItem(let name, _) in target.dependencies { names.append(name) }
            for case .byNameItem(let name, _) in target.dependencies { names.append(name) }
        }
        targets.removeAll { !kept.contains($0.name) }
        products = []
    }
}

// The suites that ThreadSanitizer runs, by the names of their files, and the program `StressTest`: `.ci/run` builds them a
// second time, without the other suites, which are most of the work. The names come by the environment, since the package
// manager keeps what it has read of this file until the environment changes.
if let names = Context.environment["DATAMONK_SUITES"]?.split(separator: " ") {
    let suites = names.map { "/\($0).swift" }
    var kept = ["StressTest"]
    for target in package.targets where target.type == .test {
        let folder = "\(Context.packageDirectory)/\(target.path ?? "Tests/\(target.name)")"
        let tests = (FileManager.default.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix("Tests.swift") }
        let others = tests.filter { test in !suites.contains { "/\(test)".hasSuffix($0) } }
        target.exclude += others
        if others.count < tests.count { kept.append(target.name) }
    }
    package.keepOnly(kept)
}

// The suites of the store on a server alone, for work on it: tests of everything take much longer to build.
if Context.environment["DATAMONK_PACKAGE"] == "postgres" { package.keepOnly(["DataMonkPostgresTests"]) }

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The macros' compiler plugin, by its path, where another build has made it: SwiftSyntax takes longer to compile than all of
// the rest, and `.ci/run` builds this package several times. The benchmarks and the web examples take it in the same way.
if let plugin = Context.environment["DATAMONK_COMPILED_MACROS"] {
    let compiled: Set = ["DataMonkMacros", "DataMonkMacroExpansion", "DataMonkMacrosTests"]
    package.targets.removeAll { compiled.contains($0.name) }
    for target in package.targets {
        target.dependencies.removeAll { dependency in
            guard case .targetItem(let name, _) = dependency else { return false }
            return compiled.contains(name)
        }
    }
    settings.append(.unsafeFlags(["-load-plugin-executable", "\(plugin)#DataMonkMacros"]))
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
