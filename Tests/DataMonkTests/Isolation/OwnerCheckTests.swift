#if DEBUG || OwnerChecks
    import Foundation
    import Testing

    /// What the compiler lets through stops the program with the rule, before anything is read or written. The program
    /// `owners` of the benchmarks goes the same ways in optimized builds, with the package trait `OwnerChecks` and without it.
    @Suite struct OwnerCheckTests {
        @Test(arguments: WayOut.allCases)
        func `an object that got out of its update stops the program`(way: WayOut) async throws {
            let end = try await #require(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { [way = way as WayOut] in
                try await way.run()
            }
            let output = String(decoding: end.standardErrorContent, as: UTF8.self)
            #expect(output.contains(way.explanation(isEveryAccessChecked: true)), "\(output)")
        }
    }
#endif
