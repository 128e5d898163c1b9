/// Objects that came together.
///
/// What one call registered lies side by side in `objects`, and so does what one loop over relationships made: a cohort
/// is a run of `objects` that begins with one marked `beginsCohort`. That is all there is to remember; sweeps keep the
/// order. Cohorts are a guess that saves round trips: nothing but speed depends on them.
///
///     objects    monk abbot novice kitchen garden | prior | gate tower
///                +--- a fetch ---+ +- faults -+     by id   a fetch
extension IdentityMap {
    /// The end of `objects` before a call registers something: what `endCohort` wants to know.
    var cohortStart: Int { objects.count }

    /// Marks what was registered since `start` as a cohort.
    func endCohort(from start: Int) {
        if start < objects.count { objects[start].state.insert(.beginsCohort) }
    }

    /// Calls `body` with the objects of `object`'s cohort that somebody holds: those behind it first, in order, then
    /// those before it, from near to far. Stops when `body` returns false, and where it would look at too many.
    func visitCohort(of object: ManagedObject, _ body: (ManagedObject) -> Bool) {
        guard object.registration >= 0 else { return }
        let place = Int(object.registration)
        var index = place + 1
        var end = min(objects.count, place + Self.reach)
        while index < end, !objects[index].state.contains(.beginsCohort) {
            if isHeld(at: index), !body(objects[index]) { return }
            index += 1
        }
        index = place
        end = max(0, place - Self.reach)
        while index > end, !objects[index].state.contains(.beginsCohort) {
            index -= 1
            if isHeld(at: index), !body(objects[index]) { return }
        }
    }

    /// How far from the object in each direction.
    private static var reach: Int { 4_096 }
}
