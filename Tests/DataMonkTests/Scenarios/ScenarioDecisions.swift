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
        wait("lifecycle", [5], for: "committedValues(forKeys:)")
        wait("lifecycle", [13], for: "validateForUpdate")
        wait("save", [2, 5, 6, 8, 9], for: "notices of changes and saves")
        wait("concurrency", [4, 6], for: "notices of changes and saves")
        wait("merge", [1, 8], for: "the three snapshots of a conflict")
        wait("validation", [2, 4], for: "validation conditions and methods")
        wait("frc", [1, 2, 3, 5, 6, 7, 9, 10, 11], for: "FetchedResultsController")
        wait("history", [2, 3, 4, 6, 7], for: "history")
        wait("undo", [1, 3, 4, 5], for: "undo")
        wait("migration", [4], for: "data in external files")
        wait("metadata", [1], for: "metadata of stores")
        wait("derived", [1], for: "derived attributes")
        return rows
    }()
}
