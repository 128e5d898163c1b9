extension Leak {
    /// Every leak that is tested.
    static let all: [Leak] = throughUpdates + throughTasks + fromFetches + throughGenerics + ofTypes
}
