/// **Confined.** The identity map: the table does not retain, a list in order of registration does. Objects go in
/// that order, as going in the table's misses the cache at each. All state stands behind one pointer, which spares
/// the exclusivity checks.
struct LeanMap {
    private struct State {
        var table = OpenTable()
        var objects: ContiguousArray<LeanObject> = []
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    @inline(__always)
    func find(_ id: Int64) -> LeanObject? {
        state.pointee.table.find(id).map { Unmanaged<LeanObject>.fromOpaque($0).takeUnretainedValue() }
    }

    @inline(__always)
    func register(_ object: LeanObject) {
        state.pointee.table.insert(object.id, Unmanaged.passUnretained(object).toOpaque())
        state.pointee.objects.append(object)
    }

    func removeAll() {
        state.pointee.objects = []
        state.pointee.table.deallocate()
        state.pointee.table = OpenTable()
    }

    func deallocate() {
        state.pointee.table.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }
}
