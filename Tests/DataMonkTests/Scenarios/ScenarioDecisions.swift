/// Facts about Core Data that have no test here, and why.
enum ScenarioDecisions {
    /// Swift or the design leaves nothing to test.
    static let reasons: [String: String] = [
        "scn/concurrency/003": """
        A main-queue context's perform delivers later on main. MainContext has no perform: it lives on the main actor, \
        and whoever is there is on its queue; updates run on threads of their own.
        """
    ]

    /// What is not there yet. A row leaves this list with the test that comes with the feature.
    static let waiting: [String: String] = {
        var rows: [String: String] = [:]
        func wait(_ area: String, _ numbers: [Int], for feature: String) {
            for number in numbers {
                let digits = String(number)
                rows["scn/\(area)/\(String(repeating: "0", count: 3 - digits.count))\(digits)"] = feature
            }
        }
        wait("frc", [1, 2, 3, 5, 6, 7, 9, 10, 11], for: "FetchedResultsController")
        wait("history", [2, 3, 4, 6, 7], for: "history")
        return rows
    }()
}
