/// **Value.** A wish to change a job, with the values that the person has seen. A value that is another one by now was changed
/// by somebody else, and the wish is a conflict.
public struct JobEdit: Codable, Sendable {
    /// **Value.** The value that was seen, and the new one.
    public struct Change<Content: Codable & Equatable & Sendable>: Codable, Sendable {
        let from: Content
        let to: Content

        /// Creates a change.
        public init(from: Content, to: Content) { (self.from, self.to) = (from, to) }
    }

    let id: String
    let title: Change<String>?
    let urgency: Change<Int>?
    let stage: Change<Int>?

    /// Creates an edit.
    public init(
        id: String, title: Change<String>? = nil, urgency: Change<Int>? = nil, stage: Change<Int>? = nil
    ) {
        (self.id, self.title, self.urgency, self.stage) = (id, title, urgency, stage)
    }
}
