public import DataMonkCore
extension Stack {
    public func addInMemoryStore(configuration: String? = nil) throws {
        try coordinator.add(
            InMemoryStore(
                directory: coordinator.directory, index: coordinator.stores.count, configuration: configuration))
    }
}
