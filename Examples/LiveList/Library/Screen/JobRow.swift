import DataMonk

/// **Value.** The cell of a job.
struct JobRow: Hashable, Sendable {
    let id: AnyObjectID
    let title: String
    let urgency: Int

    init(_ job: Job) {
        id = job.anyObjectID
        title = job.title
        urgency = job.urgency
    }
}
