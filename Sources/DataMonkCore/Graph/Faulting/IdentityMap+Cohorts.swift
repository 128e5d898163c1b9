/// Cohorts, objects that were registered together.
///
/// Objects registered by one call are adjacent in `objects`, and so are those registered by one loop over relationships:
/// a cohort is a run of `objects` that begins with an object marked `beginsCohort`. Nothing else is stored. Sweeps keep the
/// order, but let the last objects fill a gap as a cohort of their own. Cohorts are a guess that saves round trips: only
/// speed depends on them.
///
///     objects    monk abbot novice kitchen garden | prior | gate tower
///                +--- a fetch ---+ +- faults -+     by id   a fetch
extension IdentityMap {
    /// The end of `objects` before a call registers objects, to be passed to `endCohort`.
    var cohortStart: Int { objects.count }

    /// Marks the objects registered since `start` as a cohort.
    func endCohort(from start: Int) {
        if start < objects.count { objects[start].state.insert(.beginsCohort) }
    }

    /// Calls `body` with the referenced objects of `object`'s cohort: first those after it in order, then those before it
    /// from near to far. Stops when `body` returns `false`, or after a limited number of objects.
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

    /// The maximum distance from the object in each direction.
    private static var reach: Int { 4_096 }
}
