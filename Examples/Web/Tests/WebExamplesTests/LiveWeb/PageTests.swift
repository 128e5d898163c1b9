import DataMonk
import DataMonkTesting
import Foundation
import LiveBoard
import Testing

extension WebTests {
    /// The page as people meet it: browsers over one server, beside another process that changes the same jobs.
    @Suite(.enabled(if: FileManager.default.fileExists(atPath: Browser.driverPath)))
    struct PageTests {
        /// **Value.** A server with its address, a driver of browsers, and the jobs from another process's side.
        struct Stage {
            let server: Program
            let driver: Program
            let jobs: Context
            let url: URL

            func browser(width: Int = 1000, height: Int = 800) async throws -> Browser {
                try await Browser(driver, page: server.answer, width: width, height: height)
            }

            func add(_ titles: [String], _ stage: LiveBoard.Stage = .doing) async throws {
                try await jobs.update { update in
                    for (place, title) in titles.enumerated() {
                        let job = try update.create(Job.self)
                        (job.title, job.urgency, job.stage) = (title, 90 - place, stage)
                    }
                    try update.commit()
                }
            }
        }

        static func server(_ url: URL, port: Int = 0) throws -> Program {
            try Program(
                Program.path(ofExample: "LiveWeb"),
                ["--port", "\(port)", "--commits", "0", "--jobs", "0", "--store", url.path],
                until: /^(http:.*\/)$/.anchorsMatchLineEndings())
        }

        private func withStage(_ body: (Stage) async throws -> Void) async throws {
            try await withTemporaryStore { url in
                let stack = try Stack(Job.self)
                try await stack.addStore(.database(fileURL: url))
                let stage = Stage(
                    server: try Self.server(url), driver: try Browser.driver(), jobs: try Context(stack: stack),
                    url: url)
                defer { #expect(throws: Never.self) { try Browser.end(stage.driver) } }
                try await body(stage)
                // Open streams do not keep the server from ending.
                #expect(stage.server.end() == 0)
                try await stack.closeStores()
            }
        }

        @Test func `an edit in one browser shows in the other, by keyboard alone`() async throws {
            try await withStage { stage in
                let (one, two) = (try await stage.browser(), try await stage.browser())
                try await one.type("nMend the roof")
                try await one.press(.enter)
                try await two.wait(for: ["Mend the roof"], in: "Doing")
                try await one.type("Sweep the yard")
                try await one.press(.enter, .escape)
                try await two.wait(for: ["Mend the roof", "Sweep the yard"], in: "Doing")

                try await two.press(.down, .down)
                try await two.type("+")
                try await one.wait(for: ["Sweep the yard", "Mend the roof"], in: "Doing")
                try await two.type(" ")
                try await one.wait(for: ["Sweep the yard"], in: "Waiting")
                // The focus has gone with the job.
                try await two.wait(
                    for: "document.activeElement.querySelector('.title').textContent === 'Sweep the yard'")
                try await two.press(.enter)
                try await two.type("Rake")
                try await two.press(.enter)
                try await one.wait(for: ["Rake"], in: "Waiting")
                try await two.press(.delete)
                try await one.wait(for: "document.querySelectorAll('li.job').length === 1")
                try await two.wait(
                    for: "document.activeElement.querySelector('.title').textContent === 'Mend the roof'")

                try await two.type("/nothing")
                try await two.wait(for: "document.getElementById('empty').textContent === 'Nothing found.'")
                try await two.press(.escape)
                try await two.wait(for: ["Mend the roof"], in: "Doing")
                // The Tab key reaches everything, and stops at one row.
                try await two.press(.tab, .tab, .tab)
                #expect(try await two.value("document.activeElement.getAttribute('aria-label')") == "\"Next stage\"")
                try await two.press(.enter)
                try await one.wait(for: ["Mend the roof"], in: "Waiting")
            }
        }

        @Test func `two people who rename one job see the conflict, and one of them decides`() async throws {
            try await withStage { stage in
                try await stage.add(["Roof"])
                let (one, two) = (try await stage.browser(), try await stage.browser())
                try await one.wait(for: ["Roof"], in: "Doing")
                try await one.press(.down, .enter)
                try await one.type("Mine")
                try await two.press(.down, .enter)
                try await two.type("Theirs")
                try await two.press(.enter)
                // A person who is writing hears of it, and keeps the text.
                try await one.wait(for: "document.getElementById('news').textContent.includes('“Theirs”')")
                #expect(try await one.value("document.activeElement.value") == "\"Mine\"")
                try await one.press(.enter)
                try await one.wait(
                    for:
                        "document.querySelector('[role=alert]').textContent.includes('“Theirs” while you wrote “Mine”')"
                )
                try await one.wait(for: ["Theirs"], in: "Doing")
                #expect(try await two.value("document.querySelectorAll('[role=alert]').length") == "0")
                try await one.keepScreenshot("conflict")
                try await one.press(.tab, .enter)
                try await two.wait(for: ["Mine"], in: "Doing")
                #expect(try await one.value("document.querySelectorAll('[role=alert]').length") == "0")
            }
        }

        @Test func `the page fits widths from 320 to 1,600 points, light and dark`() async throws {
            try await withStage { stage in
                try await stage.add(["Mend", String(repeating: "endless", count: 25), "東京の地図を描く"])
                try await stage.add(["Wrap"], .done)
                let browser = try await stage.browser()
                try await browser.wait(for: "document.querySelectorAll('li.job').length === 4")
                for scheme in ["light", "dark"] {
                    try await browser.prefer(scheme)
                    for width in [320, 375, 600, 768, 1024, 1280, 1600] {
                        try await browser.resize(width: width, height: 800)
                        #expect(try await browser.value(Self.overflow) == "[]", "at \(width) points")
                        try await browser.keepScreenshot("\(scheme)-\(width)")
                    }
                    #expect(try await browser.value(Self.lowContrasts) == "[]", "\(scheme)")
                    let brightness = try await browser.value("getComputedStyle(document.body).backgroundColor")
                    #expect(brightness == (scheme == "dark" ? "\"rgb(20, 22, 27)\"" : "\"rgb(244, 245, 248)\""))
                }
            }
        }

        /// The elements that reach beyond the window.
        private static let overflow = """
            [...document.querySelectorAll('body *')].filter((element) => {
              const box = element.getBoundingClientRect();
              return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5);
            }).map((element) => element.outerHTML.slice(0, 80))
            """
        /// The texts whose contrast with what is behind them is below 4.5, as WCAG 2 counts it.
        private static let lowContrasts = """
            (() => {
              const numbers = (colour) => colour.match(/[0-9.]+/g).map(Number);
              const light = ([r, g, b]) => [r, g, b].map((value) => value / 255)
                .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
                .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
              const behind = (element) => {
                const colour = numbers(getComputedStyle(element).backgroundColor);
                return colour[3] === 0 && element.parentElement ? behind(element.parentElement) : colour;
              };
              return [...document.querySelectorAll('h1, h2, p, button, .title, .urgency, .count, kbd')]
                .filter((element) => element.textContent && element.offsetWidth > 0).filter((element) => {
                  const [one, two] = [light(numbers(getComputedStyle(element).color)), light(behind(element))];
                  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05) < 4.5;
                }).map((element) => element.outerHTML.slice(0, 80));
            })()
            """

        @Test func `values full of markup are texts`() async throws {
            let titles = [
                "<img src=x onerror='window.hacked=1'>", "<script>window.hacked=1</script>",
                "</li></ul></section>&amp;&lt;",
                "\"'`${window.hacked=1}", "javascript:window.hacked=1", "data: x\n\nevent: all\ndata: []",
                "\u{2028}\u{202E}end\u{0}",
            ]
            try await withStage { stage in
                try await stage.add(["first"])
                let browser = try await stage.browser()
                try await browser.wait(for: ["first"], in: "Doing")
                try await stage.jobs.update { update in
                    _ = try update.deleteAll(Job.self)
                    try update.commit()
                }
                try await stage.add(titles)
                try await browser.wait(for: titles, in: "Doing")
                let another = try await stage.browser()
                try await another.wait(for: titles, in: "Doing")
                for page in [browser, another] {
                    #expect(
                        try await page.value(
                            "[typeof window.hacked, document.querySelectorAll('img, main script').length]")
                            == "[\"undefined\",0]")
                }
            }
        }

        @Test func `steps lead to what a new page shows`() async throws {
            try await withStage { stage in
                try await stage.add((0..<12).map { "Job \($0)" })
                let browser = try await stage.browser()
                var random = SeededGenerator(seed: 23)
                for _ in 0..<60 {
                    let choices = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        Int.random(in: 0..<1_000, using: &random)
                    }
                    try await stage.jobs.update { update in
                        for choice in choices {
                            guard let job = try update.first(Job.self, %"title" == "Job \(choice % 17)") else {
                                let job = try update.create(Job.self)
                                (job.title, job.urgency, job.stage) = ("Job \(choice % 17)", choice % 7, .waiting)
                                continue
                            }
                            switch choice % 4 {
                            case 0: try update.delete(job)
                            case 1: job.stage = LiveBoard.Stage(rawValue: choice / 10 % 3) ?? .done
                            default: job.urgency = choice % 90
                            }
                        }
                        try update.commit()
                    }
                }
                try await stage.add(["the last one"], .done)
                try await browser.wait(for: "document.body.innerText.includes('the last one')")
                try await browser.wait(for: "document.querySelectorAll('li.ghost').length === 0")
                let shown =
                    "[...document.querySelectorAll('main h2, main li.job .title, .urgency')].map((e) => e.textContent)"
                let another = try await stage.browser()
                try await another.wait(for: "document.body.innerText.includes('the last one')")
                #expect(try await browser.value(shown) == another.value(shown))
            }
        }

        @Test func `a browser finds a server again that was away, and what has changed meanwhile`() async throws {
            try await withStage { stage in
                try await stage.add(["Roof"])
                let server = try Self.server(stage.url)
                let browser = try await Browser(stage.driver, page: server.answer)
                try await browser.wait(for: ["Roof"], in: "Doing")
                #expect(server.end() == 0)
                try await browser.wait(for: "document.getElementById('connection').textContent !== 'Live'")
                try await stage.add(["Yard"], .waiting)
                let port = try #require(URL(string: server.answer)?.port)
                let again = try Self.server(stage.url, port: port)
                try await browser.wait(for: ["Yard"], in: "Waiting")
                try await browser.wait(for: "document.getElementById('connection').textContent === 'Live'")
                #expect(again.end() == 0)
            }
        }
    }
}
