import ApplicationCompiler

extension Leak {
    /// Every leak that is tested.
    static let all: [Leak] =
        throughUpdates + throughTasks + fromFetches + throughGenerics + ofTypes
        + closures + results + globals + boxes + values + casts + keyPaths + declarations + actors + streams
        + dispatch + foundation + errors + contexts + calls + waiting

    /// The leaks with a verdict, in each kind of module.
    static func cases(where isIncluded: (Verdict) -> Bool) -> [(Leak, IsolationMode)] {
        all.filter { isIncluded($0.verdict) }.flatMap { leak in leak.modes.map { (leak, $0) } }
    }
}
