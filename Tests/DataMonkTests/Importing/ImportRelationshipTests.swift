#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Relationships of imported objects: by key, by nested object, and by arrays of either.
    @Suite struct `Relationships of an import` {
        private let tracker = Result { try Tracker() }

        private func importIssue(_ row: [String: ManagedValue]) async throws -> ImportReport {
            try await tracker.get().stack.importRows(Tracker.Issue.self, from: [ImportRow]([row]).stream())
        }

        @Test func `lead to objects by key and by nested object`() async throws {
            let tracker = try tracker.get()
            _ = try await importIssue([
                "number": 1, "user": ["id": 7, "login": "monk"], "labels": ["bug", ["name": "ui", "color": "red"]],
            ])
            _ = try await importIssue(["number": 2, "user": 7, "labels": "ui"])
            #expect(try await tracker.issues { $0.author?.name } == ["monk", "monk"])
            #expect(try await tracker.issues { $0.labels.map(\.name).sorted() } == [["bug", "ui"], ["ui"]])
            #expect(try await tracker.issues { $0.labels.compactMap(\.color) } == [["red"], ["red"]])
            #expect(try await tracker.count(Tracker.User.self) == 1)
        }

        @Test func `are replaced by an array, cleared by null, and kept by a row without them`() async throws {
            let tracker = try tracker.get()
            _ = try await importIssue(["number": 1, "user": 7, "labels": ["a", "b"]])
            #expect(try await importIssue(["number": 1, "labels": ["b", "c"]]).line == "0 1 0 0 0")
            #expect(try await tracker.issues { $0.labels.map(\.name).sorted() } == [["b", "c"]])
            #expect(try await importIssue(["number": 1, "labels": ["c", "b"], "title": "x"]).line == "0 1 0 0 0")
            _ = try await importIssue(["number": 1, "labels": nil, "user": nil])
            #expect(try await tracker.issues { $0.labels.count } == [0])
            #expect(try await tracker.issues { $0.author == nil } == [true])
            #expect(try await tracker.count(Tracker.Label.self) == 3)
        }

        @Test func `have the order of the attribute that relates an ordered one`() async throws {
            let tracker = try tracker.get()
            _ = try await importIssue([
                "number": 1, "steps": [["id": 1, "place": 3], ["id": 2, "place": 1], ["id": 3, "place": 2]],
            ])
            #expect(try await tracker.issues { $0.steps.map(\.id) } == [[2, 3, 1]])
            _ = try await importIssue(["number": 1, "steps": [["id": 1, "place": 0], 2, 3]])
            #expect(try await tracker.issues { $0.steps.map(\.id) } == [[1, 2, 3]])
        }

        @Test func `change the object that nests what has changed`() async throws {
            _ = try await importIssue(["number": 1, "user": ["id": 7, "login": "a"]])
            #expect(try await importIssue(["number": 1, "user": ["id": 7, "login": "a"]]).line == "0 0 1 0 0")
            #expect(try await importIssue(["number": 1, "user": ["id": 7, "login": "b"]]).line == "0 1 0 0 0")
        }

        @Test func `may lead in circles`() async throws {
            let tracker = try tracker.get()
            let row: [String: ManagedValue] = [
                "id": 1, "login": "a", "issues": [["number": 1, "user": ["id": 1]], ["number": 2, "user": 1], 3],
            ]
            let rows = [ImportRow]([row])
            #expect(try await tracker.stack.importRows(Tracker.User.self, from: rows.stream()).line == "1 0 0 0 0")
            #expect(try await tracker.issues { $0.author?.id } == [1, 1, 1])
            #expect(try await tracker.stack.importRows(Tracker.User.self, from: rows.stream()).line == "0 0 1 0 0")
        }

        @Test(
            arguments: [
                (["number": 1, "user": [1, 2]], "user"), (["number": 1, "labels": [nil]], "labels"),
                (["number": 1, "user": ["login": "no key"]], "id"), (["number": 1, "user": ["id": "x"]], "id"),
            ] as [([String: ManagedValue], String)])
        func `that make no sense are the failure of their row`(row: [String: ManagedValue], key: String) async throws {
            let report = try await importIssue(row)
            #expect(report.line == "0 0 0 0 1" && report.failures.map(\.key) == [key == "user" ? "author" : key])
            #expect(try await tracker.get().count(Tracker.Issue.self) == 0)
        }
    }
#endif
