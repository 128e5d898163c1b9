/// **Confined.** Takes back what the user events of a context changed, one step at a time, and makes it again.
///
///     context.undoManager = ContextUndoManager()
///     person.name = "Abbot"
///     context.processPendingChanges()                         // the step ends here
///     context.undoManager?.setActionName("Rename")
///     context.undo()                                          // the old name
///     context.redo()                                          // "Abbot"
///
/// A step is what one user event changed, or what stands between ``beginUndoGrouping()`` and ``endUndoGrouping()``.
/// Undo restores attributes, both sides of relationships and their order; it removes an inserted object and brings a
/// deleted one back. A save does not clear the steps: undoing past it makes unsaved changes again, to be saved as such.
/// An object whose deletion was saved comes back as the same object in memory and as a new row, with a new id: an id is
/// never given twice, and everybody else has been told that the old one is gone. A relationship without an inverse that
/// led to it leads nowhere then: nobody knows where such a link begins.
///
/// What nobody did in this context is no step: reading, merging, refreshing. Where a merge has changed a value since,
/// undo sets it to what it was before the step, as a change of this context. What hooks such as `willSave` change during a
/// save belongs to the step before it. `rollback` and `reset` clear everything.
///
/// Off by default: a context has no undo manager until it is given one, which serves that context alone.
///
/// A step holds the old values of what it changed, and the objects; so memory is bounded by ``levelsOfUndo``.
public final class ContextUndoManager {
    /// How many steps can be taken back; older ones are forgotten. 0 for any number.
    public var levelsOfUndo: Int {
        didSet { trim() }
    }
    /// How many groups are begun and not ended.
    public private(set) var groupingLevel = 0
    /// Whether changes become steps; see ``disableUndoRegistration()``.
    public var isUndoRegistrationEnabled: Bool { disabledLevel == 0 }

    // The journal of the context holds this object; the context outlives what is in it.
    weak var context: ManagedObjectContext?
    private(set) var undoSteps: [UndoStep] = []
    private(set) var redoSteps: [UndoStep] = []
    /// The step between begin and end of a group.
    private var openStep: UndoStep?
    /// The name for the step that is under way.
    private var nextActionName: String?
    private var disabledLevel = 0
    private var destination = Destination.newStep
    /// Where the changes of the last event went.
    private var lastPlace = Place.undoStep
    /// The same, if delete rules of what that event has deleted could not be read. The next event applies them, and goes to
    /// the same place: to take back one of the two alone would leave references to what is deleted.
    private var unfinishedPlace: Place?

    private enum Place { case undoStep, redoStep, nowhere }

    /// Where the changes of the next event go.
    private enum Destination {
        case newStep
        /// Undo makes the change: taking it back is redo.
        case redo(actionName: String)
        case undo(actionName: String)
    }

    /// An undo manager, to be given to one context.
    public init(levelsOfUndo: Int = 100) {
        precondition(levelsOfUndo >= 0, "levelsOfUndo counts steps: 0 or more.")
        self.levelsOfUndo = levelsOfUndo
    }

    // MARK: Undo and redo

    /// Whether there is a step to take back. A change counts when its event has ended.
    public var canUndo: Bool { !undoSteps.isEmpty }
    /// How many steps can be taken back.
    package var stepCount: Int { undoSteps.count }
    /// Whether there is a step to make again: one was taken back, and nothing has been changed since.
    public var canRedo: Bool { !redoSteps.isEmpty }
    /// The name of the step that ``undo()`` takes back; empty if it has none.
    public var undoActionName: String { undoSteps.last?.actionName ?? "" }
    /// The name of the step that ``redo()`` makes again; empty if it has none.
    public var redoActionName: String { redoSteps.last?.actionName ?? "" }

    /// Takes the last step back; does nothing if there is none. Ends the user event first, so that what was just changed is
    /// the last step.
    ///
    /// - Precondition: every group is ended.
    /// - Complexity: proportional to the step. Reads what it changed and is not in memory.
    public func undo() {
        requireNoGroup("undo")
        context?.processPendingChanges()
        guard let step = undoSteps.popLast() else { return }
        revert(step, into: .redo(actionName: step.actionName))
    }

    /// Makes the step again that was taken back last; does nothing if there is none.
    ///
    /// - Precondition: every group is ended.
    public func redo() {
        requireNoGroup("redo")
        context?.processPendingChanges()
        guard let step = redoSteps.popLast() else { return }
        revert(step, into: .undo(actionName: step.actionName))
    }

    private func revert(_ step: UndoStep, into destination: Destination) {
        guard let context else { return }
        for event in step.events.reversed() { context.revert(event) }
        self.destination = destination
        context.processPendingChanges()
    }

    private func requireNoGroup(_ verb: StaticString) {
        precondition(groupingLevel == 0, "A group is open: call endUndoGrouping() before \(verb)().")
    }

    // MARK: Steps

    /// Begins a group: the events up to its end are one step. Groups inside groups are part of the outermost one.
    public func beginUndoGrouping() {
        context?.processPendingChanges()
        if groupingLevel == 0 { openStep = (unfinishedPlace == .undoStep ? undoSteps.popLast() : nil) ?? UndoStep() }
        groupingLevel += 1
    }

    /// Ends the last group that was begun. A group in which nothing changed is no step.
    ///
    /// - Precondition: a group is open.
    public func endUndoGrouping() {
        precondition(groupingLevel > 0, "endUndoGrouping() without a beginUndoGrouping() before it.")
        context?.processPendingChanges()
        groupingLevel -= 1
        guard groupingLevel == 0, let step = openStep else { return }
        openStep = nil
        if !step.events.isEmpty { append(step) }
    }

    /// Gives the step under way a name for menus, or, if nothing has been changed since, the last step.
    public func setActionName(_ name: String) {
        if openStep != nil {
            openStep?.actionName = name
        } else if context?.hasOpenEvent == true || undoSteps.isEmpty {
            nextActionName = name
        } else {
            undoSteps[undoSteps.count - 1].actionName = name
        }
    }

    /// From here on changes are no steps, until ``enableUndoRegistration()`` is called as often as this.
    public func disableUndoRegistration() {
        context?.processPendingChanges()
        disabledLevel += 1
    }

    /// Ends the last ``disableUndoRegistration()``.
    ///
    /// - Precondition: registration is disabled.
    public func enableUndoRegistration() {
        precondition(disabledLevel > 0, "enableUndoRegistration() without a disableUndoRegistration() before it.")
        context?.processPendingChanges()
        disabledLevel -= 1
    }

    /// Forgets every step.
    public func removeAllActions() {
        undoSteps = []
        redoSteps = []
        openStep?.events = []
        nextActionName = nil
    }

    /// The objects that some step has changed and that have left the context since, by their keys.
    var departedObjects: [ObjectKey: ManagedObject] {
        var departed: [ObjectKey: ManagedObject] = [:]
        for step in undoSteps + redoSteps {
            for delta in step.events.joined()
            where delta.object.registration < 0 && departed[delta.object.key] == nil {
                departed[delta.object.key] = delta.object
            }
        }
        return departed
    }

    // MARK: What the context says

    /// Whether the end of an event is to say what changed.
    var isRegistering: Bool {
        if case .newStep = destination { return isUndoRegistrationEnabled }
        return true
    }

    /// An event has ended.
    ///
    /// - Parameters:
    ///   - isRegistered: whether it was given to `register`; nil if it changed nothing.
    ///   - isUnfinished: whether it leaves deleted objects whose delete rules could not be read.
    func eventDidEnd(isRegistered: Bool?, isUnfinished: Bool) {
        if isRegistered == false { lastPlace = .nowhere }
        unfinishedPlace = isUnfinished ? lastPlace : nil
    }

    /// Takes the changes of an event.
    func register(_ event: [ObjectDelta], isOfSave: Bool) {
        let destination = self.destination
        // Set before anybody is told of the event: what observers change then is a step of its own.
        self.destination = .newStep
        if event.isEmpty { return }
        switch destination {
        case .redo(let name):
            redoSteps.append(UndoStep(event, actionName: name))
            lastPlace = .redoStep
        case .undo(let name):
            append(UndoStep(event, actionName: name))
            lastPlace = .undoStep
        case .newStep where isOfSave: amend(event)
        case .newStep: append(event, joining: unfinishedPlace)
        }
    }

    private func append(_ event: [ObjectDelta], joining place: Place?) {
        switch place {
        case .undoStep: amend(event)
        case .redoStep where !redoSteps.isEmpty: redoSteps[redoSteps.count - 1].amend(event)
        case .nowhere: break
        case .redoStep, nil:
            append(event)
            lastPlace = .undoStep
        }
    }

    private func append(_ event: [ObjectDelta]) {
        redoSteps = []
        if openStep != nil {
            openStep?.events.append(event)
            return
        }
        append(UndoStep(event, actionName: nextActionName ?? ""))
        nextActionName = nil
    }

    private func append(_ step: UndoStep) {
        undoSteps.append(step)
        trim()
    }

    private func amend(_ event: [ObjectDelta]) {
        if openStep != nil {
            openStep?.amend(event)
        } else if !undoSteps.isEmpty {
            undoSteps[undoSteps.count - 1].amend(event)
        }
    }

    private func trim() {
        if levelsOfUndo > 0, undoSteps.count > levelsOfUndo {
            undoSteps.removeFirst(undoSteps.count - levelsOfUndo)
        }
    }
}

@available(*, unavailable)
extension ContextUndoManager: Sendable {}
