/// **Value.** An element to be written: its name, its attributes in order, and its children.
struct XMLElementText {
    let name: String
    private(set) var attributes: [(name: String, value: String)] = []
    var children: [XMLElementText] = []

    init(_ name: String, children: [XMLElementText] = []) {
        self.name = name
        self.children = children
    }

    /// Adds an attribute, unless its value is `nil`.
    mutating func set(_ name: String, _ value: String?) {
        if let value { attributes.append((name, value)) }
    }

    /// Adds a YES, unless the value is the one that an absent attribute stands for.
    mutating func set(_ name: String, _ value: Bool, absent: Bool = false) {
        if value != absent { attributes.append((name, value ? "YES" : "NO")) }
    }

    /// Adds a number, unless it is the one that an absent attribute stands for.
    mutating func set(_ name: String, _ value: Int, absent: Int = 0) {
        if value != absent { attributes.append((name, String(value))) }
    }

    /// Adds a list of elements, unless it is empty.
    mutating func add(list name: String, _ elements: [XMLElementText]) {
        if !elements.isEmpty { children.append(XMLElementText(name, children: elements)) }
    }

    /// Adds the element's lines to a file.
    func write(to text: inout String, depth: Int = 0) {
        let indentation = String(repeating: "    ", count: depth)
        text += "\(indentation)<\(name)"
        for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
        guard !children.isEmpty else {
            text += "/>\n"
            return
        }
        text += ">\n"
        for child in children { child.write(to: &text, depth: depth + 1) }
        text += "\(indentation)</\(name)>\n"
    }

    /// Returns `true` if XML can contain a text.
    static func canHold(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                || "\t\n\r".unicodeScalars.contains(scalar)
        }
    }

    /// Returns a text with references for the characters that end a value, and for white space that readers would replace.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
