// swift-tools-version:6.2
// DataMonk and its peers on the same work, in one process, interleaved. See README.md.
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "OwnerChecks", description: "DataMonk with its trait of this name, for `owners`."),
        .trait(name: "Postgres", description: "DataMonk with its trait of this name, for `server`. Needs libpq."),
    ],
    dependencies: [
        .package(
            name: "DataMonk", path: "..",
            traits: [
                .trait(name: "OwnerChecks", condition: .when(traits: ["OwnerChecks"])),
                .trait(name: "Postgres", condition: .when(traits: ["Postgres"])),
            ]),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", exact: "0.10.0"),
    ],
    targets: [
        // The system's libsqlite3 (Debian: libsqlite3-dev): every peer links this same library. Also malloc.h.
        .systemLibrary(name: "SystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // What a peer is, the data set, the workloads, the runner, the report. Knows no peer.
        .target(name: "BenchKit", dependencies: ["SystemSQLite"]),

        // DataMonk as a peer.
        .target(name: "BenchDataMonk", dependencies: ["BenchKit", .product(name: "DataMonk", package: "DataMonk")]),

        // The other peers, a folder each, and the list of all.
        .target(
            name: "BenchPeers",
            dependencies: [
                "BenchDataMonk", "BenchKit", "SystemSQLite", .product(name: "GRDB", package: "GRDB.swift"),
            ]),

        // The command.
        .executableTarget(name: "databench", dependencies: ["BenchKit", "BenchPeers"]),

        // The same with DataMonk alone, which is quicker to build: what instructions are counted with.
        .executableTarget(name: "counts", dependencies: ["BenchDataMonk", "BenchKit"]),

        // Work on many objects at once: how its instructions grow with their number.
        .executableTarget(name: "growth", dependencies: [.product(name: "DataMonk", package: "DataMonk")]),

        // Messages from one process to a list of another one, and the time that they take.
        .target(name: "BenchMessages", dependencies: [.product(name: "DataMonk", package: "DataMonk")]),

        // The time for which large commits hold the main actor, and the cost of commits beside many others. Prints times.
        .executableTarget(
            name: "turns",
            dependencies: ["BenchMessages", "SystemSQLite", .product(name: "DataMonk", package: "DataMonk")]),

        // Ways to get rows into a file and out of it, and the memory that they take. Prints times.
        .executableTarget(
            name: "imports",
            dependencies: [
                "SystemSQLite", .product(name: "DataMonk", package: "DataMonk"),
                .product(name: "GRDB", package: "GRDB.swift"), "SwiftCSV",
            ]),

        // The suites of SQLAlchemy's `examples/performance`, ported, beside GRDB by hand.
        .executableTarget(
            name: "suites",
            dependencies: [
                "BenchKit", .product(name: "DataMonk", package: "DataMonk"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),

        // The memory and the time of migrations. Prints them.
        .executableTarget(name: "migrations", dependencies: [.product(name: "DataMonk", package: "DataMonk")]),

        // The system's libpq (Debian: libpq-dev), for statements without DataMonk beside the store's.
        .systemLibrary(name: "SystemPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // The store on a server: rates, round trips, delays, beside statements by libpq. Prints times. Needs the trait.
        .executableTarget(
            name: "server",
            dependencies: [
                "BenchMessages",
                .target(name: "SystemPostgres", condition: .when(traits: ["Postgres"])),
                .product(name: "DataMonk", package: "DataMonk"),
            ]),

        // Uses objects outside of their steps, in processes that have to stop.
        .executableTarget(name: "owners", dependencies: [.product(name: "DataMonk", package: "DataMonk")]),
    ],
    swiftLanguageModes: [.v6]
)

var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
// See DataMonk's own Package.swift.
if let plugin = Context.environment["DATAMONK_COMPILED_MACROS"] {
    settings.append(.unsafeFlags(["-load-plugin-executable", "\(plugin)#DataMonkMacros"]))
}
for target in package.targets where target.type != .system { target.swiftSettings = settings }
