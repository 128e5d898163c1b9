package import DataMonkCore
package import Foundation

/// **Value.** The problems of a model as lines of a build's output, each with its file and line.
package struct ModelDiagnostics {
    /// The lines, such as `/…/contents:12:5: error: …`.
    package let lines: [String]

    /// Finds the places of an error's problems in the current version of a model.
    package init(_ error: ModelError, inModelAt url: URL) {
        // Reason for try?: a folder whose versions cannot be found has no file with lines.
        let file = (try? ModelBundle(contentsOf: url))?.contentsURL() ?? url
        if error.problems.isEmpty {
            lines = [Self.line(for: error.message, in: file)]
            return
        }
        // Reason for try?: the problems remain without the lines.
        let places = ModelFilePlaces(of: (try? Data(contentsOf: file)) ?? Data())
        lines = error.problems.map { problem in
            let place = places.place(ofEntity: problem.entityName, property: problem.propertyName)
            return "\(file.path):\(place.line):\(place.column): error: \(problem)"
        }
    }

    /// Returns a line for an error of the file, whose message begins with the place: `Shop.xcdatamodel/contents:12:5: …`.
    private static func line(for message: String, in file: URL) -> String {
        let parts = message.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].hasSuffix("contents"), let line = Int(parts[1]), let column = Int(parts[2])
        else {
            return "\(file.path):1:1: error: \(message)"
        }
        return "\(file.path):\(line):\(column): error:\(parts[3])"
    }
}
