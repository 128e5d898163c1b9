import Foundation

/// **Value.** Two marks of a Markdown file, `<!-- name -->` and `<!-- /name -->`, with a table between them.
package struct Marks {
    private let begin: String
    private let end: String

    package init(_ name: String) {
        begin = "<!-- \(name) -->"
        end = "<!-- /\(name) -->"
    }

    /// Replaces the text between the marks.
    package func fill(_ path: String, with markdown: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard let begin = text.range(of: begin), let end = text.range(of: end), begin.upperBound <= end.lowerBound
        else { throw BenchError("\(path) has no marks \(self.begin) and \(self.end)") }
        let filled = text[..<begin.upperBound] + "\n" + markdown + "\n" + text[end.lowerBound...]
        try filled.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
