#if Macros
    import DataMonk
    import Testing

    /// Random work at the levels of a family, compared with a plain graph a level.
    @Suite struct `Random families` {
        @Test(arguments: StoreKind.allCases)
        func `three contexts hold what a plain graph a level says`(_ kind: StoreKind) throws {
            for seed in UInt64(1)...(kind == .memory ? 60 : 15) {
                var run = try FamilyRun(kind, seed: seed)
                for _ in 0..<120 { try run.step() }
            }
        }
    }
#endif
