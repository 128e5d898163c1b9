/// Facts about Core Data that have no test here, and why.
enum ScenarioDecisions {
    /// Swift or the design leaves nothing to test.
    static let reasons: [String: String] = [
        "scn/concurrency/003": """
        A main-queue context's perform delivers later on main. MainContext has no perform: it lives on the main actor, \
        and whoever is there is on its queue; updates run on threads of their own.
        """
    ]
}
