import Foundation

/// **Value.** Reads XML into a tree, within limits, so that an untrusted file cannot cost much time or memory.
///
/// It accepts the syntax of model files and of stores: elements, attributes, the five named characters, and numeric character
/// references. Comments and instructions are skipped, and so is text between elements, but in a store. A document type that
/// declares anything is refused, since its entities could expand without limit.
///
/// Foundation's `XMLParser` was tried and rejected: on Linux (Swift 6.3) it traps on damaged bytes in attributes.
struct XMLTreeReader {
    /// **Value.** A kind of file.
    struct Form {
        /// The maximum size of a file.
        let maximumFileSize: Int
        let maximumElementCount: Int
        let maximumDepth: Int
        /// Indicates whether elements keep their text, and the file has a document type.
        let keepsText: Bool
        let name: String
        let remedy: String

        /// Real model files stay below one megabyte.
        static let model = Form(
            maximumFileSize: 16 << 20, maximumElementCount: 200_000, maximumDepth: 32, keepsText: false,
            name: "a model file",
            remedy: "Open the model in Xcode and save it again, or restore the file.")
        /// Its size is the limit of its elements. Metadata may be nested a hundred levels deep.
        static let store = Form(
            maximumFileSize: 128 << 20, maximumElementCount: .max, maximumDepth: 128, keepsText: true, name: "a store",
            remedy: "Restore the file from a backup.")
    }

    private let bytes: [UInt8]
    private let fileName: String
    private let form: Form
    private var position = 0
    private var open: [XMLElementNode] = []
    private var elementCount = 0
    /// The current line and its start, as far as `place(of:)` has counted.
    private var line = 1
    private var lineStart = 0
    private var counted = 0

    /// Reads a file's contents and returns the root element.
    ///
    /// - Parameter fileName: The file's name in messages.
    static func read(
        _ data: Data, fileName: String, form: Form = .model
    ) throws(ModelError) -> XMLElementNode {
        guard data.count <= form.maximumFileSize else {
            throw ModelError(
                code: .fileTooLarge,
                message: "\(fileName) is larger than \(form.maximumFileSize) bytes, so it cannot be \(form.name).")
        }
        let bytes = [UInt8](data)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ModelError(
                code: .invalidFile,
                message: "\(fileName) is not encoded in UTF-8. \(form.remedy)")
        }
        var reader = XMLTreeReader(bytes: bytes, fileName: fileName, form: form)
        return try reader.read()
    }

    private init(bytes: [UInt8], fileName: String, form: Form) {
        self.form = form
        self.bytes = bytes
        self.fileName = fileName
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func read() throws(ModelError) -> XMLElementNode {
        var root: XMLElementNode?
        while true {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
            let text = bytes[start..<position]
            guard !open.isEmpty || text.allSatisfy(Self.isSpace) else {
                throw fault("text outside the outermost element")
            }
            let content = try decoded(text, from: start)
            if form.keepsText, !open.isEmpty { open[open.count - 1].text += content }
            if position == bytes.count { break }
            guard let element = try readMarkup() else { continue }
            guard root == nil else { throw fault("a second outermost element") }
            root = element
        }
        guard open.isEmpty, let root else { throw fault("the file ends too early") }
        return root
    }

    /// Checks that skipped text is valid text.
    private mutating func checkText(from start: Int) throws(ModelError) {
        guard bytes[start..<position].contains(where: { !Self.isSpace($0) }) else { return }
        if open.isEmpty { throw fault("text outside the outermost element") }
        _ = try decoded(bytes[start..<position], from: start)
    }

    /// Reads from a `<` to the end of its tag. Returns the outermost element when it ends.
    private mutating func readMarkup() throws(ModelError) -> XMLElementNode? {
        if skip("<!--", through: "-->") || skip("<?", through: "?>") { return nil }
        let start = position
        if !open.isEmpty, skip("<![CDATA[", through: "]]>") {
            if form.keepsText {
                open[open.count - 1].text += String(decoding: bytes[start + 9..<position - 3], as: UTF8.self)
            }
            return nil
        }
        if has("<!--") || has("<?") || has("<![CDATA[") {
            throw fault("an unterminated comment or processing instruction")
        }
        if form.keepsText, open.isEmpty, skipDocumentType() { return nil }
        if has("<!") { throw fault("a document type declaration, which \(form.name) does not have") }
        if has("</") { return try readEndTag() }
        return try readStartTag()
    }

    private mutating func readStartTag() throws(ModelError) -> XMLElementNode? {
        let place = place(of: position)
        elementCount += 1
        guard open.count < form.maximumDepth, elementCount <= form.maximumElementCount else {
            throw ModelError(
                code: .fileTooLarge,
                message: """
                    \(fileName):\(place.line):\(place.column): nested more than \(form.maximumDepth) levels deep, or \
                    more than \(form.maximumElementCount) elements. This is not \(form.name).
                    """)
        }
        position += 1
        let name = try readName()
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            let isEmpty = has("/>")
            if isEmpty || has(">") {
                position += isEmpty ? 2 : 1
                let element = XMLElementNode(
                    name: name, attributes: attributes, children: [], line: place.line, column: place.column)
                if isEmpty { return close(element) }
                open.append(element)
                return nil
            }
            let key = try readName()
            let value = try readValue()
            guard attributes.updateValue(value, forKey: key) == nil else { throw fault("two attributes named \(key)") }
        }
    }

    private mutating func readEndTag() throws(ModelError) -> XMLElementNode? {
        position += 2
        let name = try readName()
        skipSpace()
        guard has(">") else { throw fault("the end tag of \(name) has no >") }
        guard let element = open.popLast(), element.name == name else {
            throw fault("the end tag of \(name) has no start tag")
        }
        position += 1
        return close(element)
    }

    private mutating func close(_ element: XMLElementNode) -> XMLElementNode? {
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
        return nil
    }

    private mutating func readName() throws(ModelError) -> String {
        let start = position
        while position < bytes.count, !Self.isSpace(bytes[position]), !Self.endsName(bytes[position]) { position += 1 }
        guard position > start else { throw fault("a name is missing") }
        return try decoded(bytes[start..<position], from: start)
    }

    private mutating func readValue() throws(ModelError) -> String {
        skipSpace()
        guard has("=") else { throw fault("an attribute without a value") }
        position += 1
        skipSpace()
        guard position < bytes.count, has("\"") || has("'") else { throw fault("a value without quotes") }
        let quote = bytes[position]
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "<") { position += 1 }
        guard position < bytes.count, bytes[position] == quote else { throw fault("an unterminated value") }
        position += 1
        return try decoded(bytes[start..<position - 1], from: start)
    }
}

extension XMLTreeReader {
    private static let namedCharacters: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// Returns the text with its character references replaced.
    private mutating func decoded(_ text: ArraySlice<UInt8>, from start: Int) throws(ModelError) -> String {
        guard text.allSatisfy({ $0 >= 0x20 || Self.isSpace($0) }) else {
            position = start
            throw fault("a character that XML does not allow")
        }
        var result = ""
        var rest = text
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<ampersand], as: UTF8.self)
            let end = rest[ampersand...].firstIndex(of: UInt8(ascii: ";"))
            guard let end, let character = Self.character(rest[(ampersand + 1)..<end]) else {
                position = ampersand
                throw fault("an & that does not begin a character reference")
            }
            result.append(character)
            rest = rest[(end + 1)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    /// Returns the character for `amp`, `#38` or `#x26`.
    private static func character(_ name: ArraySlice<UInt8>) -> Character? {
        // Longer than any name or number of a character.
        guard name.count <= 10 else { return nil }
        let name = String(decoding: name, as: UTF8.self)
        guard name.hasPrefix("#") else { return namedCharacters[name] }
        let code = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        guard let code, code >= 0x20 || code == 9 || code == 10 || code == 13 else { return nil }
        return Unicode.Scalar(code).map(Character.init)
    }

    private func has(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        return text.withUTF8Buffer { text in
            for offset in 0..<count where bytes[position + offset] != text[offset] { return false }
            return true
        }
    }

    /// Moves past the end of a section that begins here. Does not move if there is none, or if it has no end.
    private mutating func skip(_ beginning: StaticString, through end: StaticString) -> Bool {
        guard has(beginning) else { return false }
        let start = position
        position += beginning.utf8CodeUnitCount
        while position < bytes.count {
            if has(end) {
                position += end.utf8CodeUnitCount
                return true
            }
            position += 1
        }
        position = start
        return false
    }

    /// Moves past a document type that declares nothing, as stores have it. Does not move if there is none.
    private mutating func skipDocumentType() -> Bool {
        let start = position
        guard has("<!DOCTYPE"), skip("<!DOCTYPE", through: ">") else { return false }
        if !bytes[start..<position].contains(UInt8(ascii: "[")) { return true }
        position = start
        return false
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"): true
        default: false
        }
    }

    /// Returns the line and column of a position, counting on from the previous call.
    private mutating func place(of position: Int) -> (line: Int, column: Int) {
        while counted < position {
            if bytes[counted] == 0x0A {
                line += 1
                lineStart = counted + 1
            }
            counted += 1
        }
        return (line, position - lineStart + 1)
    }

    private mutating func fault(_ message: String) -> ModelError {
        let place = place(of: min(position, bytes.count))
        return ModelError(
            code: .invalidFile,
            message: """
                \(fileName):\(place.line):\(place.column): \(message): this is not well-formed XML. \(form.remedy)
                """)
    }
}
