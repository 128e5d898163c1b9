public import DataMonk
import Foundation

/// **Shared**, on the main actor. The program between its terminal and its store: it shows the jobs, and does what keys say.
///
/// Three things change what is shown: a commit (the provider tells the table), a key, and time (a mark ends). Each asks for a
/// frame. `wake` is the one task that draws, at the next time at which a frame is wanted and may be drawn.
@MainActor
public final class JobScreen {
    let World: MainContext
    let provider: ListDataProvider<Job, JobRow>
    let table: JobTable
    let team: Team
    private let terminal: Terminal
    private var pacing = FramePacing(framesPerSecond: 60)
    private var wake: (time: ContinuousClock.Instant, task: Task<Void, any Error>)?
    private var isFrameWaiting = false

    /// The selected job, and the place where it was last seen.
    var selected: (id: AnyObjectID, line: Int)?
    private var firstLine = 0
    var field: TextField?
    var search = ""
    var message = ""
    var isPaused = false
    private var updates: [Int: Task<Void, Never>] = [:]
    private var lastUpdate = 0

    /// Creates a screen.
    public init(World: MainContext, team: Team, terminal: Terminal, markDuration: Duration) {
        (self.World, self.team, self.terminal) = (World, team, terminal)
        provider = ListDataProvider(context: World)
        table = JobTable(of: provider, markDuration: markDuration)
        provider.bind(table, animation: .mark) { job, _ in JobRow(job) }
        provider.onGetSectionTitle = { name, _ in Int(name).flatMap(Stage.init)?.title ?? name }
        table.onChange = { [weak self] in self?.requestFrame() }
    }

    /// Shows the list until a person or a signal ends it.
    ///
    /// - Returns: The signal, or `nil`.
    /// - Throws: ``TerminalError``; the errors of a fetch. The terminal is as it was before.
    public func run() async throws -> Int32? {
        try load()
        try terminal.enter()
        defer {
            wake?.task.cancel()
            terminal.leave()
        }
        World.stack.onError { [weak self] error in
            Task { @MainActor in self?.say("\(error)") }
        }
        requestFrame()
        for await event in terminal.events {
            switch event {
            case .keys(let keys): for key in keys { if !press(key) { return nil } }
            case .resized: requestFrame()
            case .drawn: if isFrameWaiting { requestFrame() }
            case .signal(let number): return number
            case .closed: return nil
            }
        }
        return nil
    }

    /// Waits for the updates that keys have begun.
    public func finish() async { for update in updates.values { await update.value } }

    /// Begins something that a key asks for.
    func begin(_ work: @escaping @MainActor () async -> Void) {
        lastUpdate += 1
        let number = lastUpdate
        updates[number] = Task { [weak self] in
            await work()
            self?.updates[number] = nil
        }
    }

    /// Shows the jobs that contain the searched text.
    func load() throws {
        try provider.load(
            search.isEmpty ? nil : .Where("title CONTAINS[cd] %@", search),
            orderBy: .Ascending("stage") | .Descending("urgency") | .Ascending("title"), sectionBy: %"stage")
    }

    /// Shows a message until the next key.
    public func say(_ text: String) {
        message = text
        requestFrame()
    }

    // MARK: Frames

    /// Asks for a frame, as soon as one may be drawn. Later requests are served by the same one.
    func requestFrame(at wanted: ContinuousClock.Instant = .now) {
        let time = pacing.time(forFrameAt: wanted)
        if let wake, wake.time <= time { return }
        wake?.task.cancel()
        let task = Task { [weak self] in
            try await Task.sleep(until: time, clock: .continuous)
            self?.draw()
        }
        wake = (time, task)
    }

    private func draw() {
        wake = nil
        let now = ContinuousClock.now
        isFrameWaiting = !terminal.draw(frame(of: terminal.size, at: now))
        if isFrameWaiting { return }
        pacing.drew(at: now)
        if let end = table.nextEnd { requestFrame(at: end) }
    }

    private func frame(of size: TerminalSize, at now: ContinuousClock.Instant) -> Frame {
        // A small terminal keeps the list, then the line for typing.
        let (hasTitle, hasField, hasHelp) = (size.rows > 2, size.rows > 1 || field != nil, size.rows > 3)
        let height = size.rows - [hasTitle, hasField, hasHelp].count { $0 }
        var lines: [TerminalLine] = hasTitle ? [titleLine(size.columns)] : []
        lines += listLines(size.columns, height, now)
        while lines.count < height + (hasTitle ? 1 : 0) { lines.append(TerminalLine(width: size.columns)) }
        var cursor: Frame.Cursor?
        if hasField {
            let line = fieldLine(size.columns)
            if field != nil { cursor = Frame.Cursor(row: lines.count, column: min(line.width, size.columns - 1)) }
            lines.append(line)
        }
        if hasHelp { lines.append(helpLine(size.columns)) }
        return Frame(size: size, lines: lines, cursor: cursor)
    }

    private func listLines(_ columns: Int, _ height: Int, _ now: ContinuousClock.Instant) -> [TerminalLine] {
        updateSelection()
        if let line = selected?.line {
            // The section's title stays visible above its first row.
            firstLine = min(firstLine, line <= 1 ? 0 : line)
            firstLine = max(firstLine, line - height + 1)
        }
        firstLine = max(0, min(firstLine, table.numberOfLines - height))
        let lines = table.draw(from: firstLine, count: height, at: now)
        if lines.isEmpty, height > 0 {
            var line = TerminalLine(width: columns)
            line.appendShortened(search.isEmpty ? "  No jobs. n adds one." : "  Nothing found.", .dim)
            return [line]
        }
        return lines.map { listLine($0, columns) }
    }

    /// The selection stays with its job. When that goes, its neighbour is selected.
    private func updateSelection() {
        let job = selected.flatMap { provider.results?.object(for: $0.id) }
        let path = job.flatMap(provider.indexPath) ?? table.row(near: selected?.line ?? 0)
        selected = path.flatMap { path in
            provider.cell(at: path).map { ($0.id, table.line(of: path)) }
        }
    }
}
