import DataMonk
import DataMonkTesting
import LiveBoard
import Testing

/// Edits with the values that a person has seen.
@Suite struct JobEditorTests {
    private let editor: JobEditor
    private let stack: Stack

    init() throws {
        stack = try .inMemory(Job.self)
        editor = try JobEditor(stack: stack)
    }

    @Test func `an edit of what somebody else has changed is a conflict, and changes nothing`() async throws {
        let seen = try await editor.add(title: "Roof")
        let theirs = try await editor.change(JobEdit(id: seen.id, title: .init(from: "Roof", to: "Theirs")))
        await #expect(throws: EditError.conflict(theirs)) {
            try await editor.change(JobEdit(id: seen.id, title: .init(from: "Roof", to: "Mine")))
        }
        await #expect(throws: EditError.conflict(theirs)) { try await editor.delete(id: seen.id, title: "Roof") }
        // Another value of the same job is nobody's conflict.
        let urged = try await editor.change(JobEdit(id: seen.id, urgency: .init(from: 50, to: 51)))
        #expect(urged.title == "Theirs" && urged.urgency == 51)
    }

    @Test func `of many edits at once that have seen the same value, one wins`() async throws {
        let (editor, job) = (editor, try await editor.add(title: "Roof"))
        let winners = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    do {
                        _ = try await editor.change(JobEdit(id: job.id, title: .init(from: "Roof", to: "\(number)")))
                        return true
                    } catch EditError.conflict {
                        return false
                    } catch {
                        Issue.record("\(error)")
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test func `an edit of a deleted job says so`() async throws {
        let job = try await editor.add(title: "Roof")
        try await editor.delete(id: job.id, title: "Roof")
        await #expect(throws: EditError.gone) { try await editor.delete(id: job.id, title: "Roof") }
        await #expect(throws: EditError.gone) {
            try await editor.change(JobEdit(id: job.id, stage: .init(from: 0, to: 1)))
        }
    }

    @Test(arguments: ["", " \n", String(repeating: "a", count: 201), "e" + String(repeating: "\u{301}", count: 5_000)])
    func `a title that is none is refused`(title: String) async throws {
        await #expect(throws: EditError.self) { try await editor.add(title: title) }
        #expect(try await Context(stack: stack).read { try $0.count(Job.self) } == 0)
    }

    @Test func `ids and values that are none are refused`() async throws {
        let job = try await editor.add(title: "Roof")
        for id in ["", "nonsense", "x-coredata://a/Job/p1", job.id + "9"] {
            await #expect(throws: EditError.self) { try await editor.delete(id: id, title: "Roof") }
        }
        for edit in [
            JobEdit(id: job.id, stage: .init(from: 0, to: 7)), JobEdit(id: job.id, urgency: .init(from: 50, to: 1_000)),
        ] {
            await #expect(throws: EditError.self) { try await editor.change(edit) }
        }
    }
}
