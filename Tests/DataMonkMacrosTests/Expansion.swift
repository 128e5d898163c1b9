#if Macros
    import SwiftDiagnostics
    import SwiftParser
    import SwiftSyntax
    import SwiftSyntaxMacroExpansion
    import SwiftSyntaxMacros

    @testable import DataMonkMacroExpansion

    /// **Value.** A source file with its macros expanded, and what the macros had to say.
    struct Expansion {
        let source: String
        let expanded: String
        let diagnostics: [Diagnostic]
        private let context: BasicMacroExpansionContext

        init(_ source: String) {
            let file = Parser.parse(source: source)
            let context = BasicMacroExpansionContext(
                sourceFiles: [file: .init(moduleName: "Application", fullFilePath: "Application.swift")])
            let tree = file.expand(
                macroSpecs: Self.macros,
                contextGenerator: {
                    BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
                }, indentationWidth: .spaces(4))
            self.source = source
            self.context = context
            expanded = tree.description
            diagnostics = context.diagnostics
        }

        /// The problems by name, in order.
        var problems: [String] { diagnostics.compactMap { ($0.diagMessage as? EntityProblem)?.id } }

        /// The first problem's message.
        var message: String { diagnostics.first?.message ?? "" }

        /// The messages of all problems.
        var messages: [String] { diagnostics.map(\.message) }

        /// The source after the first fix-it of the first problem, nil if there is none.
        var fixed: String? { diagnostics.first?.fixIts.first.map(source(after:)) }

        /// The source after each single fix-it of each problem.
        var corrections: [String] { diagnostics.flatMap(\.fixIts).map(source(after:)) }

        private func source(after fixIt: FixIt) -> String {
            var edits: [(range: Range<Int>, text: String)] = []
            for case .replaceText(let range, let text, let node) in fixIt.changes {
                let start = offset(of: range.lowerBound, in: node)
                edits.append((start..<offset(of: range.upperBound, in: node), text))
            }
            var bytes = Array(source.utf8)
            // From the end, so that the places before stay where they are.
            for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
                bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Macros see detached copies of the nodes; this is where a copy's byte stands in the source.
        private func offset(of position: AbsolutePosition, in node: Syntax) -> Int {
            context.location(for: position, anchoredAt: node, fileName: "Application.swift").offset
        }

        /// The macros as an application knows them.
        private static var macros: [String: MacroSpec] {
            [
                "Entity": MacroSpec(type: EntityMacro.self),
                "EntityProperties": MacroSpec(type: EntityPropertiesMacro.self),
                "ManagedProperty": MacroSpec(type: ManagedPropertyMacro.self),
                "Attribute": MacroSpec(type: PropertyMarkerMacro.self),
                "Relationship": MacroSpec(type: PropertyMarkerMacro.self),
                "Transient": MacroSpec(type: PropertyMarkerMacro.self),
                "Unique": MacroSpec(type: PropertyGroupMacro.self),
                "Index": MacroSpec(type: PropertyGroupMacro.self),
            ]
        }

        // The compiler plugin's macros are such types too; it cannot be linked.
        private struct EntityMacro: EntityExpansion {}
        private struct EntityPropertiesMacro: EntityPropertiesExpansion {}
        private struct ManagedPropertyMacro: ManagedPropertyExpansion {}
        private struct PropertyMarkerMacro: PropertyMarkerExpansion {}
        private struct PropertyGroupMacro: PropertyGroupExpansion {}
    }
#endif
