/// Facts about Core Data that have no test here, and why.
enum ScenarioDecisions {
    /// Swift or the design leaves nothing to test.
    static let reasons: [String: String] = [
        "scn/concurrency/003": """
        A main-queue context's perform delivers later on main. MainContext has no perform: it lives on the main actor, \
        and whoever is there is on its queue; updates run on threads of their own.
        """,
        "scn/faulting/001": """
        Core Data's row cache goes on answering with the old row after a batch request or another process has changed \
        it, unless the staleness interval is zero. Here batch requests tell the cache, and each snapshot that finds another \
        process's commit empties it: a context never contradicts itself.
        """,
    ]
}
