/// **Confined.** Undoes and redoes the changes of a context's user events, one step at a time.
///
///     context.undoManager = ContextUndoManager()
///     person.name = "Abbot"
///     context.processPendingChanges()                         // the step ends here
///     context.undoManager?.setActionName("Rename")
///     context.undo()                                          // the old name
///     context.redo()                                          // "Abbot"
///
/// A step consists of the changes of one user event, or of those between ``beginUndoGrouping()`` and
/// ``endUndoGrouping()``. Undo restores attributes, both sides of relationships and their order; it removes inserted
/// objects and restores deleted ones. A save does not clear the steps: undoing past it creates unsaved changes again, to
/// be saved as usual. An object whose deletion was saved is restored as the same object in memory and as a new row with a
/// new id: an id is never reused, and others have been told that the old one no longer exists. References to it by
/// relationships without an inverse are not restored, because their owners are not known.
///
/// Only actions in this context are steps; reading, merging and refreshing are not. If a merge has changed a value since,
/// undo sets it to its value before the step, as a change of this context. Changes made by hooks such as `willSave`
/// during a save belong to the step before it. `rollback` and `reset` clear all steps.
///
/// Off by default: a context has no undo manager until one is set, and an undo manager serves a single context.
///
/// A step holds the old values of its changes, and the objects; ``levelsOfUndo`` therefore limits the memory use.
public final class ContextUndoManager {
    /// The maximum number of steps that can be undone; older ones are discarded. 0 for no limit.
    public var levelsOfUndo: Int {
        didSet { trim() }
    }
    /// The number of groups that have begun and not ended.
    public private(set) var groupingLevel = 0
    /// Indicates whether changes are recorded as steps; see ``disableUndoRegistration()``.
    public var isUndoRegistrationEnabled: Bool { disabledLevel == 0 }

    /// Indicates whether the context's code does not see it: it takes back rows of an import, whose code must neither undo
    /// nor leave anything out.
    package let isHidden: Bool

    // The journal of the context retains this object, and the context outlives its journal.
    weak var context: ManagedObjectContext?
    private(set) var undoSteps: [UndoStep] = []
    // Unchecked exclusivity, here and below: a step that is replaced is released once the new value is stored, and the `deinit`
    // of an object of it may call the context, which asks for the steps.
    @exclusivity(unchecked) private(set) var redoSteps: [UndoStep] = []
    /// The step between the beginning and the end of a group.
    private var openStep: UndoStep?
    /// The name of the current step.
    private var nextActionName: String?
    private var disabledLevel = 0
    private var destination = Destination.newStep
    /// The step of the last event's changes; one of no list if they cannot be undone.
    @exclusivity(unchecked) private var lastStep = UndoStep()
    /// The same, and the read that has failed, if delete rules of what that event has deleted could not be read. What they
    /// change later goes to the same step: to take back one of the two alone would leave references to what is deleted.
    @exclusivity(unchecked) private var unfinished: (step: UndoStep, failure: FailedAccess)?

    /// **Value.** The destination of the next event's changes.
    private enum Destination {
        case newStep
        /// The change is made by undo: reverting it is a redo.
        case redo(actionName: String)
        case undo(actionName: String)
    }

    /// Creates an undo manager, to be assigned to one context.
    public init(levelsOfUndo: Int = 100) {
        if levelsOfUndo < 0 { stopProgram("levelsOfUndo must not be negative.") }
        self.levelsOfUndo = levelsOfUndo
        isHidden = false
    }

    /// Creates a hidden one, which records a single step.
    package init(isHidden: Bool) {
        levelsOfUndo = 1
        self.isHidden = isHidden
    }

    // MARK: Undo and redo

    /// Indicates whether there is a step to undo. A change counts once its event has ended.
    public var canUndo: Bool { !undoSteps.isEmpty }
    /// The number of steps that can be undone.
    package var stepCount: Int { undoSteps.count }
    /// Indicates whether there is a step to redo: one was undone, and nothing has changed since.
    public var canRedo: Bool { !redoSteps.isEmpty }
    /// The name of the step that ``undo()`` undoes; empty if it has none.
    public var undoActionName: String { undoSteps.last?.actionName ?? "" }
    /// The name of the step that ``redo()`` redoes; empty if it has none.
    public var redoActionName: String { redoSteps.last?.actionName ?? "" }

    /// Undoes the last step; does nothing if there is none. Ends the user event first, so that the latest changes are the
    /// last step.
    ///
    /// - Precondition: Every group has ended.
    /// - Complexity: Proportional to the step. Reads the changed objects that are not in memory.
    public func undo() {
        requireNoGroup("undo")
        context?.processPendingChanges()
        guard let step = undoSteps.popLast() else { return }
        revert(step, into: .redo(actionName: step.actionName))
    }

    /// Redoes the step that was undone last; does nothing if there is none.
    ///
    /// - Precondition: Every group has ended.
    public func redo() {
        requireNoGroup("redo")
        context?.processPendingChanges()
        guard let step = redoSteps.popLast() else { return }
        revert(step, into: .undo(actionName: step.actionName))
    }

    private func revert(_ step: UndoStep, into destination: Destination) {
        guard let context else { return }
        // More is reverted than was asked for, or what rules of a deletion that stands are about to change.
        let isUnfinished = unfinished?.step === step
        if let failure = step.joinedAfter ?? (isUnfinished ? nil : unfinished?.failure) {
            context.faults.failures.note(failure)
            context.faults.failures.noteLostChange()
        }
        if isUnfinished { unfinished = nil }
        context.revert(step)
        self.destination = destination
        context.processPendingChanges()
    }

    private func requireNoGroup(_ verb: StaticString) {
        if groupingLevel > 0 { stopProgram("An undo group is open. Call endUndoGrouping() before \(verb)().") }
    }

    // MARK: Steps

    /// Begins a group: the events until its end are one step. Nested groups are part of the outermost one.
    public func beginUndoGrouping() {
        context?.processPendingChanges()
        if groupingLevel == 0 { openStep = UndoStep() }
        groupingLevel += 1
    }

    /// Ends the group that was begun last. A group without changes is not a step.
    ///
    /// - Precondition: A group is open.
    public func endUndoGrouping() {
        if groupingLevel == 0 { stopProgram("endUndoGrouping() was called without beginUndoGrouping().") }
        context?.processPendingChanges()
        groupingLevel -= 1
        guard groupingLevel == 0, let step = openStep else { return }
        openStep = nil
        if !step.events.isEmpty { append(step) }
    }

    /// Sets the name for menus of the current step, or of the last step if nothing has changed since.
    public func setActionName(_ name: String) {
        if openStep != nil {
            openStep?.actionName = name
        } else if context?.hasOpenEvent == true || undoSteps.isEmpty {
            nextActionName = name
        } else {
            undoSteps[undoSteps.count - 1].actionName = name
        }
    }

    /// Stops recording changes as steps, until ``enableUndoRegistration()`` has been called as often as this method.
    public func disableUndoRegistration() {
        context?.processPendingChanges()
        disabledLevel += 1
    }

    /// Reverts the last ``disableUndoRegistration()``.
    ///
    /// - Precondition: Registration is disabled.
    public func enableUndoRegistration() {
        if disabledLevel == 0 { stopProgram("enableUndoRegistration() was called without disableUndoRegistration().") }
        context?.processPendingChanges()
        disabledLevel -= 1
    }

    /// Discards all steps.
    public func removeAllActions() {
        let former = (undoSteps, redoSteps, openStep?.events, lastStep, unfinished)
        undoSteps = []
        redoSteps = []
        openStep?.events = []
        openStep?.joinedAfter = nil
        lastStep = UndoStep()
        if let (step, failure) = unfinished, step !== openStep { unfinished = (lastStep, failure) }
        nextActionName = nil
        // Last, here and below: the `deinit` of an object of a step may call the context.
        withExtendedLifetime(former) {}
    }

    /// The objects changed by some step that have left the context since, by their keys.
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

    // MARK: Calls of the context

    /// Indicates whether the changes of an event are to be registered when it ends.
    var isRegistering: Bool {
        if case .newStep = destination { return isUndoRegistrationEnabled }
        return true
    }

    /// Indicates whether delete rules of an event that has ended have yet to be applied.
    var awaitsDeleteRules: Bool { unfinished != nil }

    /// An event has ended.
    ///
    /// - Parameters:
    ///   - isRegistered: whether it was given to `register`; nil if it changed nothing.
    ///   - failure: the read that has failed, if the event leaves deleted objects whose delete rules could not be read.
    func eventDidEnd(isRegistered: Bool?, failure: FailedAccess?) {
        if isRegistered == false { lastStep = UndoStep() }
        guard let failure else { return unfinished = nil }
        if unfinished == nil { unfinished = (lastStep, failure) }
    }

    /// Takes the changes of an event.
    func register(_ event: [ObjectDelta], isOfSave: Bool) {
        let destination = self.destination
        // Set before anyone is notified of the event: changes made by observers are a step of their own.
        self.destination = .newStep
        if event.isEmpty { return }
        switch destination {
        case .redo(let name):
            lastStep = UndoStep(event, actionName: name)
            redoSteps.append(lastStep)
        case .undo(let name): append(UndoStep(event, actionName: name))
        case .newStep where isOfSave: (openStep ?? undoSteps.last)?.events.append(event)
        case .newStep: append(event)
        }
    }

    /// Takes what delete rules have changed that could not be read when the event of the deletions ended. If a later step
    /// cannot be reverted without that, the two become one.
    func registerDelayedRules(_ event: [ObjectDelta]) {
        guard let (step, failure) = unfinished, !event.isEmpty else { return }
        guard let place = undoSteps.firstIndex(where: { $0 === step }) else {
            let kept = redoSteps + (openStep.map { [$0] } ?? [])
            // Without its step, it goes to the last one that cannot be reverted without it.
            let dependent = (undoSteps + kept).last { $0.depends(onRules: event) }
            if let dependent, !kept.contains(where: { $0 === step }) {
                dependent.events.append(event)
                dependent.joinedAfter = failure
            } else {
                step.events.append(event)
            }
            return
        }
        defer { step.events.append(event) }
        let later = undoSteps[(place + 1)...] + (openStep.map { [$0] } ?? [])
        guard later.contains(where: { $0.depends(onRules: event) }) else { return }
        for other in later { step.events += other.events }
        step.joinedAfter = failure
        undoSteps.removeSubrange((place + 1)...)
        if openStep != nil { openStep = undoSteps.popLast() }
    }

    private func append(_ event: [ObjectDelta]) {
        redoSteps = []
        if let openStep {
            openStep.events.append(event)
            lastStep = openStep
        } else {
            append(UndoStep(event, actionName: nextActionName ?? ""))
            nextActionName = nil
        }
    }

    private func append(_ step: UndoStep) {
        undoSteps.append(step)
        lastStep = step
        trim()
    }

    private func trim() {
        guard levelsOfUndo > 0, undoSteps.count > levelsOfUndo else { return }
        let former = Array(undoSteps.dropLast(levelsOfUndo))
        undoSteps.removeFirst(former.count)
        withExtendedLifetime(former) {}
    }
}

@available(*, unavailable)
extension ContextUndoManager: Sendable {}
