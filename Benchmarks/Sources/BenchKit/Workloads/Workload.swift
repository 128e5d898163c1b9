/// **Value.** A workload: the template it starts from, what it counts as one operation, and what it calls.
struct Workload: Sendable {
    let id: String
    let title: String
    var template = Template.full
    var durability = Durability.normal
    /// What one operation is, for the figures.
    let unit: String
    let operations: @Sendable (WorkloadInput) -> Int
    /// Whom DataMonk is measured against, and what its ratio is to be.
    var baseline = "raw"
    var target: Double?
    /// What it measures beside its time.
    var figures: [Figure] = []
    /// Whether its time means something; if not, there are its figures alone.
    var isTimed = true
    /// Whether the peer is told the data set before the clock starts, to turn keys into identities of its own.
    var usesKeys = false
    /// How often the file is opened inside the clock; nil if the peer is open when the clock starts.
    var openings: Openings?
    /// Runs outside the clock, on the same open peer.
    var warmUp: (@MainActor @Sendable (any Peer, WorkloadInput) throws -> Void)?
    let run: @MainActor @Sendable (any Peer, WorkloadInput) throws -> WorkloadOutcome
}

/// **Value.** How a file is opened, again and again: closing it is outside the clock.
struct Openings: Sendable {
    let times: Int
    /// Whether its pages leave the kernel's cache before each.
    var isCold = false
}

/// **Value.** What the workloads work on.
struct WorkloadInput: Sendable {
    let dataset: Dataset
    /// Whom the small transactions insert.
    let newPeople: [PersonInput]
    /// The people that W22 inserts.
    let furtherPeople: [PersonInput]
    /// The people that W20 imports: three new people, then one who is there and has grown older.
    let importedPeople: [PersonInput]
    /// Whom W10 inserts: as many as it may get to.
    let writerPeople: [PersonInput]
    let seconds: Double
    let reduction: Int

    init(_ dataset: Dataset, seconds: Double, reduction: Int, forW10: Bool) {
        self.dataset = dataset
        self.seconds = seconds
        self.reduction = reduction
        newPeople = dataset.newPeople(count: 2_000 / reduction)
        furtherPeople = dataset.newPeople(count: max(1, 4_000 / reduction))
        var unknown = furtherPeople.makeIterator()
        importedPeople = furtherPeople.indices.compactMap { index in
            index % 4 == 3 ? dataset.people[index % dataset.count].older : unknown.next()
        }
        writerPeople = forW10 ? dataset.newPeople(count: Int(400_000 * seconds)) : []
    }

    func repetitions(_ count: Int) -> Int { max(1, count / reduction) }
}

/// **Value.** What a workload came to, by which peers are compared.
enum WorkloadOutcome {
    case wrote(Written)
    case read(Digest)
    /// The same, timed by the peer: what it had to do before in the same transaction is not in the clock.
    case timed(Digest, Stopwatch)
    /// Values of the workload's figures, by their keys; nothing to compare.
    case measured([String: Double])
}

extension PersonInput {
    fileprivate var older: PersonInput {
        var person = self
        person.age += 1
        return person
    }
}
