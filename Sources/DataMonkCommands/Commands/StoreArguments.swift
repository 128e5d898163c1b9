import ArgumentParser
import Foundation

/// **Value.** The store that a command reads, and its model.
struct StoreArguments: ParsableArguments {
    @Argument(help: "The file of the store.", completion: .file())
    var store: String

    @Option(
        help:
            "The model of the store, or one to compare it with: a model folder (.xcdatamodeld, .xcdatamodel, .momd), a .mom file, or another store.",
        completion: .file()
    )
    var model: String?

    init() {}

    func validate() throws { try ServerStoreMigration.requireFiles(store, model) }

    var url: URL { URL(filePath: store) }
    var modelURL: URL? { model.map { URL(filePath: $0) } }
}
