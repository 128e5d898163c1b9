import DataMonk

/// What one undo takes back: a graph before and after a user event.
struct ReferenceStep: Sendable {
    let before: ReferenceGraph
    let after: ReferenceGraph
    let difference: ReferenceDifference
    /// Whether nobody else has touched the relationships that the step is about. If somebody has, what comes of taking it
    /// back is not specified: such a step is never taken back.
    var isSettled = true

    init(_ before: ReferenceGraph, _ after: ReferenceGraph, _ schema: GraphSchema) {
        self.before = before
        self.after = after
        difference = ReferenceDifference(before, after, schema)
    }
}

/// What can be undone and redone in a context.
struct ReferenceHistory: Sendable {
    var undoSteps: [ReferenceStep] = []
    var redoSteps: [ReferenceStep] = []

    /// Others have touched some relationships.
    mutating func unsettle(_ touched: Set<Int>) {
        if touched.isEmpty { return }
        func mark(_ step: inout ReferenceStep) {
            if !step.difference.touched.isDisjoint(with: touched) { step.isSettled = false }
        }
        for index in undoSteps.indices { mark(&undoSteps[index]) }
        for index in redoSteps.indices { mark(&redoSteps[index]) }
    }

    /// Objects have come back: for who remembers them they are the same.
    mutating func rename(_ names: [Int: Int], _ schema: GraphSchema) {
        if names.isEmpty { return }
        func renamed(_ step: ReferenceStep) -> ReferenceStep {
            var renamed = ReferenceStep(step.before.renamed(names), step.after.renamed(names), schema)
            renamed.isSettled = step.isSettled
            return renamed
        }
        undoSteps = undoSteps.map(renamed)
        redoSteps = redoSteps.map(renamed)
    }
}
