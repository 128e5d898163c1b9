import DataMonk
import DataMonkTesting
import Foundation
import LiveBoard
import Testing

extension WebTests {
    /// The server on its socket, with others than browsers.
    @Suite struct ServerTests {
        private func withServer(_ body: (URL, Context) async throws -> Void) async throws {
            try await withTemporaryStore { url in
                let stack = try Stack(Job.self)
                try await stack.addStore(.database(fileURL: url))
                let server = try PageTests.server(url)
                try await body(try #require(URL(string: server.answer)), try Context(stack: stack))
                #expect(server.end() == 0)
                try await stack.closeStores()
            }
        }

        private func browsers(at url: URL) throws -> Int {
            struct Status: Decodable { let browsers: Int }
            let answer = try Connection.answer(to: "GET", url.appending(path: "status"))
            return try JSONDecoder().decode(Status.self, from: answer.body).browsers
        }

        private func wait(for count: Int, at url: URL) async throws {
            while try browsers(at: url) != count { await Task.yield() }
        }

        @Test func `a browser that stops reading is cut off, and catches up when it comes again`() async throws {
            try await withServer { url, jobs in
                let browser = try Connection(to: url, bufferSize: 4_096)
                try browser.send("GET", "/events")
                while !browser.has("event: all") { try #require(browser.receive()) }
                #expect(try browsers(at: url) == 1)
                // An event that fills whatever buffers there are, then more than may wait.
                try await jobs.update { update in
                    for number in 0..<4_000 {
                        try update.create(Job.self).title = String(repeating: "long ", count: 400) + "\(number)"
                    }
                    try update.commit()
                }
                // Commits of another process may come as one change, so there is no number of them that is enough.
                while try browsers(at: url) > 0 {
                    try await jobs.update { update in
                        try update.create(Job.self).title = "Job"
                        try update.commit()
                    }
                }
                try await jobs.update { update in
                    try update.create(Job.self).title = "the last one"
                    try update.commit()
                }
                // It comes again with the last event that it has whole.
                let last = try #require(browser.lastEventID)
                let again = try Connection(to: url)
                try again.send("GET", "/events", headers: ["Last-Event-ID: \(last)"])
                while !again.has("the last one") { try #require(again.receive()) }
            }
        }

        @Test func `the server ends beside a browser that does not read, and half a request`() async throws {
            var connections: [Connection] = []
            try await withServer { url, jobs in
                try await jobs.update { update in
                    for number in 0..<4_000 {
                        try update.create(Job.self).title = String(repeating: "long ", count: 400) + "\(number)"
                    }
                    try update.commit()
                }
                let browser = try Connection(to: url, bufferSize: 4_096)
                try browser.send("GET", "/events")
                while !browser.has("event: all") { try #require(browser.receive()) }
                let half = try Connection(to: url)
                try half.send(
                    Data(
                        "POST /add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
                            .utf8))
                try await wait(for: 1, at: url)
                connections = [browser, half]
            }
            withExtendedLifetime(connections) {}
        }

        @Test func `a browser that goes is forgotten`() async throws {
            try await withServer { url, jobs in
                var browser: Connection? = try Connection(to: url)
                try browser?.send("GET", "/events")
                try await wait(for: 1, at: url)
                browser = nil
                // A write finds out.
                while try browsers(at: url) != 0 {
                    try await jobs.update { update in
                        try update.create(Job.self).title = "Job"
                        try update.commit()
                    }
                }
            }
        }

        @Test func `what is no edit is refused with a status that says why`() async throws {
            try await withServer { url, jobs in
                let missing = #"{"id": "x-coredata://a/Job/p1", "title": "a"}"#
                for (path, body, status) in [
                    ("add", #"{"title": ""}"#, 422), ("add", "{", 400), ("add", "{}", 400), ("delete", missing, 422),
                    ("add", #"{"title": ""# + String(repeating: "a", count: 20_000) + "\"}", 413),
                ] {
                    #expect(
                        try Connection.answer(to: "POST", url.appending(path: path), Data(body.utf8)).status == status)
                }
                // Another site's form can send this, without asking first.
                let form = try Connection(to: url)
                try form.send("POST", "/add", headers: ["Content-Type: text/plain"], Data(#"{"title": "a"}"#.utf8))
                while !form.has("\r\n\r\n") { try #require(form.receive()) }
                #expect(form.text.hasPrefix("HTTP/1.1 415"))
                #expect(try await jobs.read { try $0.count(Job.self) } == 0)
            }
        }
    }
}
