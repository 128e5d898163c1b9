import Foundation

extension Workload {
    /// W26.
    static let columns = [
        columns("W26", "as values") { try $0.readThreeColumns() },
        columns("W26o", "as objects that know them alone") { try $0.readThreeColumnsOfObjects() },
    ]

    private static func columns(
        _ id: String, _ title: String, _ read: @escaping @MainActor @Sendable (any Peer) throws -> Digest
    ) -> Workload {
        Workload(
            id: id, title: "3 of 40 columns of N / 5 rows, \(title); x5", template: .wide, unit: "row",
            operations: { 5 * WideRows.count(for: $0.dataset.count) }, baseline: "grdb-record",
            target: 1.2,
            run: { peer, _ in
                .read(
                    try last(of: 5) {
                        let digest = try read(peer)
                        try peer.reset()
                        return digest
                    })
            })
    }

    /// W27.
    static let texts = zip([("W27c", 1.5), ("W27l", 1.5), ("W27e", 1.2), ("W27m", 5)], TextSearch.allCases).map {
        name, search in
        Workload(
            id: name.0, title: "\(search.rawValue) over N texts of 200 characters, half of them not ASCII",
            template: .notes, unit: "row", operations: { $0.dataset.count }, baseline: "grdb-record",
            target: name.1,
            run: { peer, _ in .read(try peer.countNotes(search)) })
    }

    /// W31.
    static let pictures = PictureSize.allCases.flatMap { size in
        [false, true].flatMap { isExternal in
            let suffix = "-\(size.rawValue / 1_000)" + (isExternal ? "x" : "")
            let title = "pictures of \(size.rawValue.formatted()) bytes" + (isExternal ? ", external storage" : "")
            let count: @Sendable (WorkloadInput) -> Int = { PictureSize.count(for: $0.dataset.count) }
            return [
                Workload(
                    id: "W31" + suffix, title: "insert N / 200 \(title)", template: size.template, unit: "row",
                    operations: count, baseline: "grdb-record", target: 1.1,
                    run: { peer, input in
                        try peer.insertPictures(size, count: count(input), isExternal: isExternal)
                        return .wrote(isExternal ? .photos : .pictures)
                    }),
                Workload(
                    id: "W31n" + suffix, title: "fetch N / 200 \(title), read the names", template: size.template,
                    unit: "row", operations: count, baseline: "grdb-record",
                    run: { peer, _ in .read(try peer.readPictureNames(isExternal: isExternal)) }),
            ]
        }
    }
}
