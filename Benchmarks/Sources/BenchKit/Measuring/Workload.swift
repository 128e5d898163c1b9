/// **Value.** A workload: the template it starts from, what it counts as one operation, and what it calls.
struct Workload: Sendable {
    let id: String
    let title: String
    var template = Template.full
    var durability = Durability.normal
    /// What one operation is, for the figures.
    let unit: String
    let operations: @Sendable (WorkloadInput) -> Int
    /// Whether the peer is told the data set before the clock starts, to turn keys into identities of its own.
    var usesKeys = false
    /// Runs outside the clock, on the same open peer.
    var warmUp: (@MainActor @Sendable (any Peer, WorkloadInput) throws -> Void)?
    let run: @MainActor @Sendable (any Peer, WorkloadInput) throws -> WorkloadOutcome
}

/// **Value.** What the workloads work on.
struct WorkloadInput: Sendable {
    let dataset: Dataset
    /// Whom the small transactions insert.
    let newPeople: [PersonInput]
    /// Whom W10 inserts: as many as it may get to.
    let writerPeople: [PersonInput]
    let seconds: Double
    let reduction: Int

    init(_ dataset: Dataset, seconds: Double, reduction: Int, forW10: Bool) {
        self.dataset = dataset
        self.seconds = seconds
        self.reduction = reduction
        newPeople = dataset.newPeople(count: 2_000 / reduction)
        writerPeople = forW10 ? dataset.newPeople(count: Int(400_000 * seconds)) : []
    }

    func repetitions(_ count: Int) -> Int { max(1, count / reduction) }
}

/// **Value.** What a workload came to, by which peers are compared.
enum WorkloadOutcome {
    case wrote
    case read(Digest)
    case concurrent(ConcurrentResult)
}
