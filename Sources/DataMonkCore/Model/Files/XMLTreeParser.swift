import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// **Confined.** Reads XML into a tree, within limits: a file from somewhere else must not cost more than a glance.
///
/// Text between elements is dropped: model files keep everything in attributes. A document type is refused, and with it
/// entities, which a file could multiply without end.
final class XMLTreeParser: NSObject, XMLParserDelegate {
    /// Real model files stay below one megabyte.
    static let maximumFileSize = 16 << 20
    private static let maximumDepth = 32
    private static let maximumElementCount = 200_000

    private let parser: XMLParser
    private let fileName: String
    private var open: [XMLElementNode] = []
    private var root: XMLElementNode?
    private var elementCount = 0
    private var failure: ModelError?

    /// The root element of a file's contents.
    ///
    /// - Parameter fileName: What messages call the file.
    static func parse(_ data: Data, fileName: String) throws(ModelError) -> XMLElementNode {
        guard data.count <= maximumFileSize else {
            throw ModelError(
                code: .fileTooLarge,
                message: "\(fileName) has \(data.count) bytes; a model file may have \(maximumFileSize).")
        }
        guard data.range(of: Data("<!DOCTYPE".utf8)) == nil, data.range(of: Data("<!ENTITY".utf8)) == nil else {
            throw ModelError(
                code: .invalidFile, message: "\(fileName) has a document type, and model files have none. Remove it.")
        }
        return try XMLTreeParser(data, fileName: fileName).run()
    }

    private init(_ data: Data, fileName: String) {
        parser = XMLParser(data: data)
        self.fileName = fileName
        super.init()
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
    }

    private func run() throws(ModelError) -> XMLElementNode {
        let isComplete = parser.parse()
        if let failure { throw failure }
        guard isComplete, let root else {
            throw ModelError(
                code: .invalidFile,
                message: """
                    \(fileName):\(parser.lineNumber):\(parser.columnNumber): this is no complete XML. Open the model in \
                    Xcode and save it again, or restore the file.
                    """, underlyingError: parser.parserError)
        }
        return root
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) {
        elementCount += 1
        guard open.count < Self.maximumDepth, elementCount <= Self.maximumElementCount else {
            failure = ModelError(
                code: .fileTooLarge,
                message: """
                    \(fileName):\(parser.lineNumber):\(parser.columnNumber): deeper than \(Self.maximumDepth) elements or \
                    longer than \(Self.maximumElementCount). This is no model file.
                    """)
            parser.abortParsing()
            return
        }
        open.append(
            XMLElementNode(
                name: elementName, attributes: attributeDict, children: [], line: parser.lineNumber,
                column: parser.columnNumber))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
}
