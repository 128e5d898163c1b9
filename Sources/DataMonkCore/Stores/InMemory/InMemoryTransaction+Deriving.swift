extension InMemoryTransaction {
    /// Computes the attributes derived from other objects until nothing changes any more, because a derived attribute may be
    /// the source of another one. A cycle ends after as many rounds as there are derivations.
    ///
    /// Visits every object with such attributes, because this store copies whole tables anyway.
    ///
    /// - Returns: The objects whose rows changed.
    ///
    /// - Throws: ``FetchError`` with the code `valueTooLarge` if an object would become too large by them.
    func derive(_ contents: inout InMemoryContents) throws -> [ObjectKey: Row] {
        let layouts = directory.layouts.filter { !$0.relatedDerivations.isEmpty }
        var derived: [ObjectKey: Row] = [:]
        var arena = RowArena()
        var rounds = layouts.map(\.relatedDerivations.count).reduce(0, +)
        var isSettled = false
        while !isSettled, rounds > 0 {
            isSettled = true
            rounds -= 1
            for layout in layouts {
                let reader = InMemoryReader(contents, directory: directory)
                for object in reader.objects(of: layout.entity) {
                    guard let row = try layout.deriving(object.row, from: object, in: &arena) else { continue }
                    contents.put(object.objectKey, row: row, layout: layout)
                    derived[object.objectKey] = row
                    isSettled = false
                }
            }
        }
        return derived
    }
}
