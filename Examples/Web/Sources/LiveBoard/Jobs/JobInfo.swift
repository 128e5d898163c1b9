import DataMonk
import Foundation

/// **Value.** A job as browsers know it.
public struct JobInfo: Codable, Hashable, Sendable {
    /// The job's id as text.
    public let id: String
    /// The title.
    public let title: String
    /// The urgency.
    public let urgency: Int
    /// The number of the stage.
    public let stage: Int

    init(_ job: Job) {
        id = job.anyObjectID.uri.absoluteString
        (title, urgency, stage) = (job.title, job.urgency, job.stage.rawValue)
    }
}
