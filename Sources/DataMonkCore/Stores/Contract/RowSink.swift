/// Receives the rows that a store reads. A reader asks whether a row is wanted, packs it, and passes it on.
///
/// A sink is confined to the caller of the reader. Readers are generic over it, so that a store can specialize the loop over
/// its rows for ``ObjectSink``, which the engine uses.
@usableFromInline
package protocol RowSink: AnyObject {
    /// The memory in which the reader packs rows.
    var arena: RowArena { get set }

    /// Returns `true` if the reader must pack the row of `key` and call `take`. Otherwise the row has been handled.
    func wants(_ key: ObjectKey) -> Bool
    /// Takes the row requested by the last `wants`, which has just been packed into `arena`.
    func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena)
    /// Takes the row requested by the last `wants`, wherever it is in memory.
    func take(_ key: ObjectKey, row: Row)
    /// Takes an object whose values were not read.
    func takeFault(_ key: ObjectKey)
    /// Records that the destinations of one owner are complete.
    ///
    /// - Returns: `true` if those of the next owner are wanted.
    func ownerDidEnd() -> Bool
}
