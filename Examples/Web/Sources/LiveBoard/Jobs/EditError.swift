/// The reason why an edit was not carried out.
public enum EditError: Error, Hashable, Sendable {
    /// Somebody else has changed the job since the person saw it. Here is what it is now.
    case conflict(JobInfo)
    /// Somebody else has deleted the job.
    case gone
    /// The edit makes no sense: the problem, then the remedy.
    case invalid(String)
}
