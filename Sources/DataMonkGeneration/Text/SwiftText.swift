/// **Value.** Lines of Swift in the format of `swift format`, with indentation of four spaces and 120 columns.
struct SwiftText {
    static let lineLength = 120
    private static let step = 4

    private(set) var lines: [String] = []
    private var depth = 0

    /// The text of a file.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Adds a line, or several. Empty lines stay empty.
    mutating func line(_ text: String = "") {
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append(part.isEmpty ? "" : indentation + part)
        }
    }

    /// Adds lines between braces.
    mutating func block(_ head: String, body: (inout SwiftText) -> Void) {
        line(head + " {")
        indented(body)
        line("}")
    }

    /// Adds a declaration with a body of one line, beside it if there is room.
    mutating func declaration(_ head: String, body: String) {
        let plain = "\(head) { \(body) }"
        if fits(plain) { line(plain) } else { block(head) { $0.line(body) } }
    }

    /// Adds a function, whose parameters have lines of their own where there is no room beside its name.
    ///
    /// - Parameter tail: The result, with the arrow.
    mutating func function(
        _ head: String, _ parameters: [String], _ tail: String = "", _ body: (inout SwiftText) -> Void
    ) {
        let plain = "\(head)(\(parameters.joined(separator: ", ")))\(tail) {"
        if fits(plain) {
            line(plain)
        } else {
            line("\(head)(")
            indented { $0.fill(parameters, end: "") }
            line(")\(tail) {")
        }
        indented(body)
        line("}")
    }

    /// Adds lines that are indented by one step more.
    mutating func indented(_ body: (inout SwiftText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Adds a documentation comment, broken at spaces.
    mutating func documentation(_ text: String) {
        let width = Self.lineLength - indentation.count - 4
        for paragraph in text.split(whereSeparator: \.isNewline).map(String.init) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, line.count + word.count >= width {
                    self.line("/// \(line)")
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            if !line.isEmpty { self.line("/// \(line)") }
        }
    }

    /// Adds a call or a declaration with arguments in parentheses, broken where it has to be.
    mutating func call(_ head: String, _ arguments: [String], _ tail: String = "") {
        let plain = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        if !plain.contains("\n"), indentation.count + plain.count <= Self.lineLength { return line(plain) }
        line(head + "(")
        indented { text in text.fill(arguments, end: ")\(tail)") }
    }

    /// Adds arguments, as many in a line as fit.
    private mutating func fill(_ arguments: [String], end: String) {
        var line = ""
        for (offset, argument) in arguments.enumerated() {
            let part = argument + (offset == arguments.count - 1 ? end : ",")
            if !line.isEmpty, line.contains("\n") || part.contains("\n") || !fits("\(line) \(part)") {
                self.line(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + part
        }
        self.line(line)
    }

    private func fits(_ text: String) -> Bool { indentation.count + text.count <= Self.lineLength }

    /// Adds a call whose last argument is written by a closure.
    mutating func open(_ head: String, arguments: [String], last: (inout SwiftText) -> Void) {
        line(head + "(")
        indented { text in
            text.fill(arguments, end: ",")
            last(&text)
        }
    }

    /// Adds an array literal with one element in a line, or as a whole if it is short.
    mutating func array(_ head: String, elements: [[String]], tail: String) {
        if elements.isEmpty { return line("\(head)[]\(tail)") }
        line("\(head)[")
        indented { text in
            for element in elements {
                // A literal of several lines ends each element with a comma, unless it has only one.
                text.call(element[0], Array(element.dropFirst()), elements.count > 1 ? "," : "")
            }
        }
        line("]\(tail)")
    }

    /// Returns the lines that a closure adds.
    static func collecting(_ body: (inout SwiftText) -> Void) -> [String] {
        var text = SwiftText()
        body(&text)
        return text.lines
    }

    /// Returns `true` if lines of code contain a type of Foundation.
    static func needsFoundation(_ lines: [String]) -> Bool {
        let types: Set<Substring> = ["Data", "Date", "Decimal", "URL", "UUID"]
        return lines.contains { line in
            !line.drop { $0 == " " }.hasPrefix("///")
                && line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains(where: types.contains)
        }
    }

    private var indentation: String { String(repeating: " ", count: depth * Self.step) }
}
