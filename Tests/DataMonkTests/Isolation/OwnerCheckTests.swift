#if DEBUG || OwnerChecks
    import Foundation
    import Testing

    /// What the compiler lets through stops the program with the rule, before anything is read or written. In release
    /// builds too with the package trait `OwnerChecks`:
    ///
    ///     swift test -c release --traits OwnerChecks -Xswiftc -enable-testing --filter OwnerCheckTests
    @Suite struct OwnerCheckTests {
        @Test(arguments: WayOut.allCases)
        func `an object that got out of its update stops the program`(way: WayOut) async throws {
            let end = try await #require(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { [way = way as WayOut] in
                try await way.run()
            }
            let output = String(decoding: end.standardErrorContent, as: UTF8.self)
            #expect(output.contains("An object was used outside the code that owns its context"), "\(output)")
        }
    }
#endif
