// swift-tools-version:6.2
// Examples with a web server: a package of its own, so that nobody who imports DataMonk resolves one.
import PackageDescription

let package = Package(
    name: "WebExamples",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "LiveWeb", targets: ["LiveWeb"]), .executable(name: "BankServer", targets: ["BankServer"]),
    ],
    traits: [
        .trait(
            name: "Postgres",
            description: "Lets BankServer keep its accounts on a PostgreSQL server. Needs libpq; LiveWeb does not.")
    ],
    dependencies: [
        .package(
            name: "DataMonk", path: "../..",
            traits: [.defaults, .trait(name: "Postgres", condition: .when(traits: ["Postgres"]))]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The jobs as events for browsers, and the edits that come from them. Knows no server. The files of `Jobs` are
        // those of `Examples/LiveList`.
        .target(name: "LiveBoard", dependencies: [.product(name: "DataMonk", package: "DataMonk")]),

        // The end of a server by a signal. `SignalPipe` is that of `Examples/LiveList`.
        .target(
            name: "Serving",
            dependencies: [.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")]),

        // The same list in every open browser.
        .executableTarget(
            name: "LiveWeb",
            dependencies: [
                "LiveBoard", "Serving",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DataMonk", package: "DataMonk"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.copy("Page")]),

        // Accounts behind a JSON API, in a file or, with the trait, on a server that several instances share.
        .executableTarget(
            name: "BankServer",
            dependencies: [
                "Serving",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DataMonk", package: "DataMonk"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),

        // The tests of both programs. One target, since those that start programs have to run one at a time.
        .testTarget(
            name: "WebExamplesTests",
            dependencies: [
                "BankServer", "LiveBoard", "LiveWeb",
                .product(name: "DataMonk", package: "DataMonk"),
                .product(name: "DataMonkTesting", package: "DataMonk"),
            ]),
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
for target in package.targets { target.swiftSettings = settings }
