package import Foundation

/// **Value.** The lines of a model file where its entities and properties are declared.
///
/// Descriptions do not know their places, since most have none. Only messages for people who edit the file need them, so it
/// is read once more for them.
package struct ModelFilePlaces {
    private var lines: [String: (line: Int, column: Int)] = [:]

    /// Finds the places in the bytes of a `contents` file. A file that is not well-formed has none.
    package init(of data: Data) {
        // Reason for try?: the error of the file has a place of its own.
        guard let root = try? XMLTreeReader.read(data, fileName: "contents") else { return }
        for element in root.children { add(element, in: "") }
    }

    private mutating func add(_ element: XMLElementNode, in path: String) {
        guard let name = element.attributes["name"] else { return }
        let place = path.isEmpty ? name : "\(path).\(name)"
        if lines[place] == nil { lines[place] = (element.line, element.column) }
        for child in element.children where element.name == "entity" { add(child, in: place) }
    }

    /// Returns the line and the column of a property, or else of its entity, or else of the file's beginning.
    package func place(ofEntity entity: String?, property: String?) -> (line: Int, column: Int) {
        let names = [entity, property].compactMap(\.self)
        for count in stride(from: names.count, to: 0, by: -1) {
            if let line = lines[names.prefix(count).joined(separator: ".")] { return line }
        }
        return (1, 1)
    }
}
