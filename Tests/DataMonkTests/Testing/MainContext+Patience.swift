#if Macros
    import DataMonk
    import DataMonkTesting

    extension MainContext {
        /// Waits as `waitUntilListsAreCurrent(deadline:)` does. Among all tests at once, a turn of the main actor may take
        /// minutes.
        func waitUntilListsAreCurrent() async throws { try await waitUntilListsAreCurrent(deadline: .seconds(3_600)) }
    }
#endif
