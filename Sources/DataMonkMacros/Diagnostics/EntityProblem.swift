#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// **Value.** An error of the macros: what is wrong, by name, and what to write instead.
    struct EntityProblem: DiagnosticMessage {
        let id: String
        let message: String

        var diagnosticID: MessageID { MessageID(domain: "DataMonk", id: id) }
        var severity: DiagnosticSeverity { .error }
    }

    /// **Value.** A change of the source that solves a problem.
    struct EntityRemedy: FixItMessage {
        let id: String
        let message: String

        var fixItID: MessageID { MessageID(domain: "DataMonk", id: id) }
    }

    /// **Value.** A place that belongs to a problem.
    struct EntityNote: NoteMessage {
        let message: String

        var noteID: MessageID { MessageID(domain: "DataMonk", id: "note") }
    }

    extension Diagnostic {
        init(_ id: String, at node: some SyntaxProtocol, _ message: String, notes: [Note] = [], fixIts: [FixIt] = []) {
            self.init(node: node, message: EntityProblem(id: id, message: message), notes: notes, fixIts: fixIts)
        }
    }

    extension FixIt {
        /// Writes `text` in place of a node; the white space around it stays.
        static func replace(_ node: some SyntaxProtocol, with text: String, _ message: String) -> FixIt {
            let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
            return FixIt(
                message: EntityRemedy(id: "replace", message: message),
                changes: [.replaceText(range: range, with: text, in: Syntax(node))])
        }

        /// Writes `text` directly behind a node.
        static func insert(_ text: String, after node: some SyntaxProtocol, _ message: String) -> FixIt {
            let end = node.endPositionBeforeTrailingTrivia
            return FixIt(
                message: EntityRemedy(id: "insert", message: message),
                changes: [.replaceText(range: end..<end, with: text, in: Syntax(node))])
        }

        /// Takes an argument out of its list, and the comma that separated it.
        static func removeArgument(_ node: LabeledExprSyntax, _ message: String) -> FixIt {
            guard let list = node.parent?.as(LabeledExprListSyntax.self), list.count > 1, node.trailingComma == nil
            else { return remove(node, message) }
            // The last of several: the comma stands behind the argument before it.
            let before = list.dropLast().last?.expression.endPositionBeforeTrailingTrivia ?? node.position
            return FixIt(
                message: EntityRemedy(id: "remove", message: message),
                changes: [
                    .replaceText(
                        range: before..<node.endPositionBeforeTrailingTrivia, with: "", in: Syntax(node))
                ])
        }

        /// Takes a node out, with the white space behind it.
        static func remove(_ node: some SyntaxProtocol, _ message: String) -> FixIt {
            let range = node.positionAfterSkippingLeadingTrivia..<node.endPosition
            return FixIt(
                message: EntityRemedy(id: "remove", message: message),
                changes: [.replaceText(range: range, with: "", in: Syntax(node))])
        }
    }
#endif
