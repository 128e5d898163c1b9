import DataMonk
import Foundation

// The actions of keys.
extension JobScreen {
    /// Does what a key says. Returns `false` if the program is to end.
    func press(_ key: Key) -> Bool {
        defer { requestFrame() }
        if field != nil {
            type(key)
            return true
        }
        message = ""
        switch key {
        case .character("q"): return false
        case .character("/"): field = TextField(purpose: .search, text: search)
        case .character("n"): field = TextField(purpose: .newJob)
        case .character("p"): pause()
        case .escape: searchFor("")
        default: if !select(key) { change(key) }
        }
        return true
    }

    // MARK: The field

    private func type(_ key: Key) {
        guard var field else { return }
        switch (key, field.purpose) {
        case (.enter, .search): self.field = nil
        case (.enter, .newJob):
            self.field = nil
            if !field.text.isEmpty { add(field.text) }
        case (.escape, let purpose):
            self.field = nil
            if purpose == .search { searchFor("") }
        default:
            guard field.take(key) else { return }
            self.field = field
            if field.purpose == .search { searchFor(field.text) }
        }
    }

    private func searchFor(_ text: String) {
        guard text != search else { return }
        let former = search
        search = text
        do {
            try load()
        } catch {
            search = former  // What was shown stays.
            message = "\(error)"
        }
    }

    // MARK: The selection

    private func select(_ key: Key) -> Bool {
        let line = selected?.line ?? 0
        switch key {
        case .up, .character("k"): select(line: line - 1, downwards: false)
        case .down, .character("j"): select(line: line + 1, downwards: true)
        case .pageUp: select(line: line - 10, downwards: false)
        case .pageDown: select(line: line + 10, downwards: true)
        case .home, .character("g"): select(line: 0, downwards: true)
        case .end, .character("G"): select(line: table.numberOfLines - 1, downwards: true)
        default: return false
        }
        return true
    }

    private func select(line: Int, downwards: Bool) {
        guard var path = table.row(near: line) else { return }
        // A title is in between: on to the row behind it.
        if downwards, let selected, table.line(of: path) <= selected.line, line > selected.line,
            let next = table.row(near: line + 1)
        {
            path = next
        }
        if let row = provider.cell(at: path) { selected = (row.id, table.line(of: path)) }
    }

    // MARK: Updates

    private func pause() {
        isPaused.toggle()
        let (isPaused, team) = (isPaused, team)
        begin { await team.setPaused(isPaused) }
    }

    private func add(_ title: String) {
        update { update in
            let job = try update.create(Job.self)
            (job.title, job.urgency) = (title, 50)
        }
    }

    /// Changes the selected job, which another one may have changed or deleted meanwhile.
    private func change(_ key: Key) {
        guard let id = selected?.id, let job = provider.results?.object(for: id) else { return }
        let (jobID, next) = (job.objectID, job.stage.next)
        switch key {
        case .character("+"), .character("="): update { try $0.increment(\.urgency, by: 1, of: jobID) }
        case .character("-"), .character("−"): update { try $0.increment(\.urgency, by: -1, of: jobID) }
        case .character(" "): update { try $0.use(jobID).stage = next }
        case .character("d"), .delete: update { try $0.delete(jobID) }
        default: message = "No key for that. The last line names the keys."
        }
    }

    private func update(_ body: @escaping @Sendable (Update) throws -> Void) {
        let World = World
        begin { [weak self] in
            do {
                try await World.update { update in
                    try body(update)
                    try update.commit()
                }
            } catch let error as FetchError where error.code == .objectNotFound {
                self?.say("Somebody has deleted that job.")
            } catch {
                self?.say("\(error)")
            }
        }
    }
}
