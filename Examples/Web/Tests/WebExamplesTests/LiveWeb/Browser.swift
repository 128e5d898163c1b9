import Foundation
import Testing

/// A browser without a screen, as a person has one: a page, a keyboard, a size, a colour scheme. Driven over WebDriver.
struct Browser: Sendable {
    private let session: URL

    /// **Value.** An answer of the driver's that is an error.
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let driverPath = "/usr/bin/chromedriver"

    /// Starts Debian's `chromedriver` on a free port.
    static func driver() throws -> Program {
        try Program(driverPath, ["--port=0"], until: /successfully on port ([0-9]+)/)
    }

    /// Closes all browsers of a driver, and ends it. A signal would leave them behind.
    static func end(_ driver: Program) throws {
        if let url = URL(string: "http://127.0.0.1:\(driver.answer)/shutdown") {
            _ = try Connection.answer(to: "GET", url)
        }
        _ = driver.wait()
    }

    /// Opens a browser of its own, with a page.
    init(_ driver: Program, page: String, width: Int = 1000, height: Int = 800) async throws {
        guard let root = URL(string: "http://127.0.0.1:\(driver.answer)/") else {
            throw Failure(description: "no port")
        }
        // In containers there is no sandbox to be had, and little shared memory.
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        ]
        let answer = try await Self.ask(
            root.appending(path: "session"),
            ["capabilities": ["alwaysMatch": ["goog:chromeOptions": ["args": arguments]]]])
        guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
            throw Failure(description: "no session: \(answer)")
        }
        session = root.appending(path: "session/\(id)")
        _ = try await Self.ask(session.appending(path: "timeouts"), ["script": 120_000])
        try await resize(width: width, height: height)
        try await load(page)
    }

    func load(_ page: String) async throws {
        _ = try await Self.ask(session.appending(path: "url"), ["url": page])
        try await wait(for: "document.getElementById('connection').textContent === 'Live'")
    }

    // MARK: Looking

    /// The value of an expression in the page.
    func value(_ expression: String) async throws -> String {
        let answer = try await Self.ask(
            session.appending(path: "execute/sync"),
            ["script": "return JSON.stringify(\(expression))", "args": [String]()])
        return answer as? String ?? "null"
    }

    /// Looks at the page until an expression is true.
    func wait(for condition: String) async throws {
        let script = """
            const done = arguments[arguments.length - 1];
            const look = () => {
              let isReached = false;
              try { isReached = \(condition); } catch (error) {}
              if (isReached) done(true); else setTimeout(look, 10);
            };
            look();
            """
        do {
            _ = try await Self.ask(
                session.appending(path: "execute/async"), ["script": script, "args": [String]()])
        } catch {
            throw Failure(
                description: "Not seen: \(condition)\n\(try await value("document.body.innerText"))\n\(error)")
        }
    }

    /// Waits until a section shows titles, in order.
    func wait(for titles: [String], in section: String) async throws {
        let expected = String(decoding: try JSONEncoder().encode(titles), as: UTF8.self)
        try await wait(
            for: """
                JSON.stringify([...[...document.querySelectorAll('section')]
                  .find((section) => section.querySelector('h2').firstChild.textContent === '\(section)')
                  .querySelectorAll('li.job .title')].map((title) => title.textContent)) === JSON.stringify(\(expected))
                """)
    }

    /// Keeps what a person sees, in the folder that `DATAMONK_SCREENSHOTS` names.
    func keepScreenshot(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["DATAMONK_SCREENSHOTS"] else { return }
        let answer = try await Self.ask(session.appending(path: "screenshot"), nil, method: "GET")
        try Data(base64Encoded: answer as? String ?? "")?
            .write(to: URL(filePath: folder).appending(path: "\(name).png"))
    }

    // MARK: A person

    enum Key: String {
        case enter = "\u{E007}", tab = "\u{E004}", escape = "\u{E00C}", delete = "\u{E017}"
        case up = "\u{E013}", down = "\u{E015}", home = "\u{E011}", end = "\u{E010}"
    }

    func press(_ keys: Key...) async throws { try await type(keys.map(\.rawValue).joined()) }

    /// Types at whatever has the focus.
    func type(_ text: String) async throws {
        let actions = text.unicodeScalars.flatMap { key in
            ["keyDown", "keyUp"].map { ["type": $0, "value": String(key)] }
        }
        _ = try await Self.ask(
            session.appending(path: "actions"),
            ["actions": [["type": "key", "id": "keyboard", "actions": actions] as [String: Any]]])
    }

    func resize(width: Int, height: Int) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    func prefer(_ scheme: String) async throws {
        // Without transitions, colours are there at once.
        let features = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]
        try await command(
            "Emulation.setEmulatedMedia", ["features": features.map { ["name": $0.0, "value": $0.1] }])
    }

    private func command(_ name: String, _ parameters: [String: Any]) async throws {
        _ = try await Self.ask(
            session.appending(path: "goog/cdp/execute"), ["cmd": name, "params": parameters] as [String: Any])
    }

    private static func ask(_ url: URL, _ body: [String: Any]?, method: String = "POST") async throws -> Any {
        let contents = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let data = try Connection.answer(to: method, url, contents ?? Data()).body
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let value = answer?["value"] ?? ""
        if let problem = value as? [String: Any], let error = problem["error"] as? String {
            throw Failure(description: "\(error): \(problem["message"] ?? "")")
        }
        return value
    }
}
