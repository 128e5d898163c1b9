import DataMonkCore
import Foundation

/// **Value.** An export of a fetch: reads objects in batches, from one state of the stores, and writes them one after the other.
///
/// It runs in one turn of its context, without an `await`, so that its snapshot is held from the first row to the last.
struct ExportRun: Sendable {
    private static let batchSize = 500
    /// The number of bytes that are written at a time.
    private static let partSize = 256 << 10

    let request: FetchRequest
    let plan: ExportPlan
    let target: ExportTarget
    let options: ExportOptions

    /// Exports the objects of a context that is at the start of a turn.
    func run(in context: ManagedObjectContext) throws -> ExportReport {
        switch target {
        case .file(let url):
            let file = try ExportFile(at: url, replaces: options.replacesFile)
            let report = try write(context) { try $0.withUnsafeBytes(file.write) }
            try file.publish()
            return report
        case .sink(let sink): return try write(context) { try sink(Data($0)) }
        }
    }

    private func write(_ context: ManagedObjectContext, to sink: ([UInt8]) throws -> Void) throws -> ExportReport {
        let objects = try context.fetchBatched(request)
        let generation = context.readGeneration
        var plan = plan
        try plan.findSharedKeys(in: context)
        var writer: any RowWriting =
            switch options.format {
            case .json: JSONRowWriter(plan, isArray: true)
            case .jsonLines: JSONRowWriter(plan, isArray: false)
            case .csv(let format): CSVRowWriter(plan, format: format)
            }
        var report = ExportReport()
        (report.total, report.omitted) = (objects.count, plan.omitted)
        var bytes: [UInt8] = []
        writer.begin(&bytes)
        let mapping = plan.mappingOfKeyedRows
        var lastKey: ImportKey?
        for place in objects.indices {
            if place % Self.batchSize == 0 { try endBatch(report) }
            if let mapping {
                let key = try objects[place].exportedKey(in: mapping)
                if key == lastKey { report.repeatedKeys += 1 }
                lastKey = key
            }
            try writer.append(objects[place], to: &bytes)
            report.rows += 1
            if bytes.count < Self.partSize { continue }
            // Before each part, since a sink may pass on what it is handed.
            try requireContent(of: generation, context)
            try flush(&bytes, &report, sink)
        }
        try requireContent(of: generation, context)
        writer.end(&bytes)
        try flush(&bytes, &report, sink)
        options.progress?(report)
        return report
    }

    private func endBatch(_ report: ExportReport) throws {
        try Task.checkCancellation()
        if report.rows > 0 { options.progress?(report) }
    }

    private func flush(
        _ bytes: inout [UInt8], _ report: inout ExportReport, _ sink: ([UInt8]) throws -> Void
    ) throws {
        if bytes.isEmpty { return }
        try sink(bytes)
        report.bytes += bytes.count
        bytes.removeAll(keepingCapacity: true)
    }

    /// Throws if what has been written is not that of one state of the stores, or has substitutes for values that cannot be
    /// read.
    ///
    /// The last reader of a store is given back after each call, so that others can read. What is read then is as new as the
    /// newest commit.
    private func requireContent(of generation: Generation, _ context: ManagedObjectContext) throws {
        try context.requireCompleteReads()
        if context.readGeneration == generation { return }
        throw FormatError(
            .stateLost,
            """
            So many read the store at once that the export could not hold one state of it, and somebody has committed \
            meanwhile. Export again.
            """)
    }
}
