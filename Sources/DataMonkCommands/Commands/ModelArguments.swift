import ArgumentParser

/// **Value.** The model that a command reads.
struct ModelArguments: ParsableArguments {
    @Argument(
        help: "The model: a folder (.xcdatamodeld, .xcdatamodel, .momd), a .mom file, or a store.", completion: .file())
    var model: String

    @Option(help: "The version of the model, if not the current one.")
    var version: String?

    init() {}

    func validate() throws { try ServerStoreMigration.requireFiles(model) }

    func load() throws -> LoadedModel { try LoadedModel(at: model, version: version) }
}
