public import DataMonk

/// The part of the list in which a job stands.
public enum Stage: Int, CaseIterable, ManagedAttribute {
    case doing, waiting, done

    /// The title of the part.
    public var title: String {
        switch self {
        case .doing: "Doing"
        case .waiting: "Waiting"
        case .done: "Done"
        }
    }

    /// The stage that follows, from the last one the first.
    public var next: Stage { Stage(rawValue: rawValue + 1) ?? .doing }
}

/// A job of a team.
@Entity public final class Job: ManagedObject {
    #Index<Job>([\.stage, \.urgency])
    /// Its title, which may contain anything.
    public var title: String = ""
    /// Its urgency. The most urgent job stands first.
    public var urgency: Int = 0
    /// The part of the list in which it stands.
    public var stage: Stage = Stage.doing
}
