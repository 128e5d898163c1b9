// swift-tools-version:6.2
// Fuzzers of everything that reads what others wrote. See Tests/README.md; `run` builds and runs them.
import PackageDescription

let package = Package(
    name: "Fuzzers",
    platforms: [.macOS(.v15)],
    // Without its macros DataMonk builds in a fraction of the time.
    dependencies: [.package(name: "DataMonk", path: "../..", traits: [])],
    targets: [
        .target(name: "FuzzStage", dependencies: [.product(name: "DataMonk", package: "DataMonk")]),
        fuzzer("FormatStrings"), fuzzer("ModelFiles"), fuzzer("ModelArchives"), fuzzer("PropertyLists"),
        fuzzer("StoreFiles"), fuzzer("RowFiles"),
    ],
    swiftLanguageModes: [.v6]
)

/// A fuzzer: a program that hands libFuzzer a function to call with each input.
func fuzzer(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: ["FuzzStage", .product(name: "DataMonk", package: "DataMonk")])
}

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}
