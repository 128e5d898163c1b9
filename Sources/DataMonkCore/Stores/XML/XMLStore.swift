package import Foundation

/// **Shared.** A store in Core Data's XML form. `XMLContentsWriter` shows the form.
///
/// Names in the file are in capitals for entities and in small letters for properties, so two names of a model that differ by
/// case alone cannot be told apart: such a model is refused.
package struct XMLStore: AtomicStore {
    private let file: AtomicFile

    package var url: URL? { file.url }
    package var typeName: String { "XML" }

    package init(url: URL, files: any FileCalls) throws {
        file = try AtomicFile(url, maximumSize: XMLTreeReader.Form.store.maximumFileSize, files: files)
    }

    package func load(model: ManagedObjectModel) throws -> AtomicContents? {
        let names = try XMLNames(model, url: file.url)
        guard let bytes = try file.read() else { return nil }
        let root: XMLElementNode
        do {
            root = try XMLTreeReader.read(bytes, fileName: file.url.lastPathComponent, form: .store)
        } catch {
            throw StoreError(.corrupt, error.message, storeURL: file.url)
        }
        return try XMLContentsReader(names: names, url: file.url).contents(of: root)
    }

    package func save(_ contents: AtomicContents, model: ManagedObjectModel) throws {
        var writer = XMLContentsWriter(model: model, url: file.url)
        try writer.add(contents)
        try file.write(Data(writer.text.utf8))
    }
}
