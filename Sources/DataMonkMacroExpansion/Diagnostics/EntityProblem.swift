#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// **Value.** An error of the macros, with its name and its remedy.
    struct EntityProblem: DiagnosticMessage {
        let id: String
        let message: String

        var diagnosticID: MessageID { MessageID(domain: "DataMonk", id: id) }
        var severity: DiagnosticSeverity { .error }
    }

    /// **Value.** A fix-it: a change of the source that solves a problem.
    struct EntityRemedy: FixItMessage {
        let id: String
        let message: String

        var fixItID: MessageID { MessageID(domain: "DataMonk", id: id) }
    }

    /// **Value.** A note on another place that a problem involves.
    struct EntityNote: NoteMessage {
        let message: String

        var noteID: MessageID { MessageID(domain: "DataMonk", id: "note") }
    }

    extension Diagnostic {
        init(_ id: String, at node: some SyntaxProtocol, message: String, notes: [Note] = [], fixIts: [FixIt] = []) {
            self.init(node: node, message: EntityProblem(id: id, message: message), notes: notes, fixIts: fixIts)
        }
    }

    extension FixIt {
        /// Replaces a node with `text` and keeps the whitespace around it.
        static func replace(_ node: some SyntaxProtocol, with text: String, message: String) -> FixIt {
            let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
            return FixIt(
                message: EntityRemedy(id: "replace", message: message),
                changes: [.replaceText(range: range, with: text, in: Syntax(node))])
        }

        /// Inserts `text` directly after a node.
        static func insert(_ text: String, after node: some SyntaxProtocol, message: String) -> FixIt {
            let end = node.endPositionBeforeTrailingTrivia
            return FixIt(
                message: EntityRemedy(id: "insert", message: message),
                changes: [.replaceText(range: end..<end, with: text, in: Syntax(node))])
        }

        /// Removes an argument from its list, together with its separating comma.
        static func removeArgument(_ node: LabeledExprSyntax, message: String) -> FixIt {
            guard let list = node.parent?.as(LabeledExprListSyntax.self), list.count > 1, node.trailingComma == nil
            else { return remove(node, message: message) }
            // The last of several arguments: the comma follows the argument before it.
            let before = list.dropLast().last?.expression.endPositionBeforeTrailingTrivia ?? node.position
            return FixIt(
                message: EntityRemedy(id: "remove", message: message),
                changes: [
                    .replaceText(
                        range: before..<node.endPositionBeforeTrailingTrivia, with: "", in: Syntax(node))
                ])
        }

        /// Removes a node and the whitespace after it.
        static func remove(_ node: some SyntaxProtocol, message: String) -> FixIt {
            let range = node.positionAfterSkippingLeadingTrivia..<node.endPosition
            return FixIt(
                message: EntityRemedy(id: "remove", message: message),
                changes: [.replaceText(range: range, with: "", in: Syntax(node))])
        }
    }
#endif
