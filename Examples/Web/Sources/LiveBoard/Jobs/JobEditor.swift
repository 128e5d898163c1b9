public import DataMonk
import Foundation

/// **Shared.** The edits of all browsers.
///
/// An edit is compared with the job inside the update, under the policy `error`: if another commit comes between the
/// comparison and this one, the update runs again and compares anew.
public struct JobEditor: Sendable {
    private let context: Context
    /// The longest title, in characters.
    public static let longestTitle = 200

    /// Creates an editor.
    public init(stack: Stack) throws { context = try Context(stack: stack) }

    /// Adds a job.
    ///
    /// - Throws: ``EditError``; the errors of updates.
    public func add(title: String) async throws -> JobInfo {
        try Self.check(title)
        return try await context.update { update in
            let job = try update.create(Job.self)
            (job.title, job.urgency) = (title, 50)
            try update.commit()
            return JobInfo(job)
        }
    }

    /// Changes a job, unless somebody else has changed the same values.
    ///
    /// - Throws: ``EditError``; the errors of updates.
    public func change(_ edit: JobEdit) async throws -> JobInfo {
        if let title = edit.title { try Self.check(title.to) }
        if let urgency = edit.urgency, !(0...99).contains(urgency.to) {
            throw EditError.invalid("The urgency \(urgency.to) is none. Give 0 to 99.")
        }
        let stage = try edit.stage.map { change in
            guard let stage = Stage(rawValue: change.to) else {
                throw EditError.invalid("There is no stage \(change.to). Give 0 to \(Stage.allCases.count - 1).")
            }
            return stage
        }
        return try await update(edit.id) { job, update in
            let isAsSeen =
                edit.title.map { $0.from == job.title } ?? true && edit.urgency.map { $0.from == job.urgency } ?? true
                && edit.stage.map { $0.from == job.stage.rawValue } ?? true
            guard isAsSeen else { throw EditError.conflict(JobInfo(job)) }
            if let title = edit.title { job.title = title.to }
            if let urgency = edit.urgency { job.urgency = urgency.to }
            if let stage { job.stage = stage }
            try update.commit()
            return JobInfo(job)
        }
    }

    /// Deletes a job, unless somebody else has given it another title.
    ///
    /// - Throws: ``EditError``; the errors of updates.
    public func delete(id: String, title: String) async throws {
        try await update(id) { job, update in
            guard job.title == title else { throw EditError.conflict(JobInfo(job)) }
            try update.delete(job)
            try update.commit()
        }
    }

    private func update<Result: Sendable>(
        _ id: String, _ body: @escaping @Sendable (Job, Update) throws -> Result
    ) async throws -> Result {
        guard let uri = URL(string: id), let objectID = context.stack.objectID(forURI: uri) else {
            throw EditError.invalid("“\(id)” is no id of a job. Take one from the list.")
        }
        return try await context.update(retrying: 100) { update in
            let object: ManagedObject
            do {
                object = try update.use(objectID)
            } catch let error as FetchError where error.code == .objectNotFound {
                throw EditError.gone
            }
            guard let job = object as? Job else { throw EditError.invalid("That is no job.") }
            return try body(job, update)
        }
    }

    private static func check(_ title: String) throws {
        if title.allSatisfy(\.isWhitespace) { throw EditError.invalid("The title is empty. Give the job a name.") }
        if title.count > longestTitle || title.utf8.count > 20 * longestTitle {
            throw EditError.invalid("The title is too long. Give up to \(longestTitle) characters.")
        }
    }
}
