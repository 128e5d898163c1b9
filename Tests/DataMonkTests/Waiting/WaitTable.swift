#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// A cell of the tables in the article on waiting.
    struct WaitCell: Sendable, CustomTestStringConvertible {
        let order: UpdateOrder
        let place: WaitPlace
        let call: WaitCall
        let answer: String

        /// Whether the call cannot be written there.
        var isDash: Bool { answer == "–" }

        var testDescription: String { "\(call.rawValue), \(place), \(order): \(answer)" }
    }

    /// The tables of the article on waiting: what it promises is what is tested.
    enum WaitTable {
        /// What can be written.
        static let cells = all.map { $0.filter { !$0.isDash } }
        /// What cannot be.
        static let dashes = all.map { $0.filter(\.isDash) }

        private static let all = Result { try read() }

        struct Unreadable: Error { let line: String }

        private static func read() throws -> [WaitCell] {
            let article = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Sources/DataMonk/DataMonk.docc/Waiting.md")
            var cells: [WaitCell] = []
            var order: UpdateOrder?
            var columns: [String] = []
            for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
                if line.hasPrefix("#") {
                    order = line.contains("default order") ? .default : line.contains("Serial") ? .serial : nil
                }
                guard let order, line.hasPrefix("|"), !line.hasPrefix("|---") else { continue }
                let texts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                if texts[0] == "call" {
                    columns = Array(texts.dropFirst())
                    continue
                }
                guard let call = WaitCall(rawValue: texts[0]), texts.count == columns.count + 1 else {
                    throw Unreadable(line: String(line))
                }
                for (column, answer) in zip(columns, texts.dropFirst()) {
                    cells += WaitPlace.allCases.filter { $0.column == column }
                        .map { WaitCell(order: order, place: $0, call: call, answer: answer) }
                }
            }
            return cells
        }
    }

    /// Where a call stands.
    enum WaitPlace: String, Sendable, CaseIterable {
        case update, beginUpdate, beginUpdateUsing, perform
        case beginUpdateAndWait, performAndWait
        case read, observer, main, beside

        /// The head of its column.
        var column: String {
            switch self {
            case .update, .beginUpdate, .beginUpdateUsing, .perform: "update"
            case .beginUpdateAndWait, .performAndWait: "AndWait"
            case .read, .observer, .main, .beside: rawValue
            }
        }
    }

    /// What is called, by the text of its row.
    enum WaitCall: String, Sendable, CaseIterable {
        case update = "`update`"
        case beginUpdate = "`beginUpdate`"
        case beginUpdateAwaited = "`beginUpdate`, its handle awaited"
        case beginUpdateUsing = "`beginUpdate(using:)`"
        case beginUpdateAndWait = "`beginUpdateAndWait`"
        case performElsewhere = "`perform` on another context"
        case performAndWaitElsewhere = "`performAndWait` on another context"
        case waitElsewhere = "`wait` for another context"
        case performHere = "`perform` on the same context"
        case beginPerformHere = "`beginPerform` on the same context"
        case performAndWaitHere = "`performAndWait` on the same context"
        case waitHere = "`wait` for the same context"
        case performOfUpdate = "`perform` of the update"
        case commit = "`commit`"
        case rollback = "`rollback`"
        case use = "`use`"
        case observeCommit = "`observeCommit`"
        case read = "`read`"
        case commitDraft = "a draft's `commit`"
        case reset = "`reset` on main"
        case fetch = "`fetch` on main"
        case addInMemoryStore = "`addInMemoryStore`"
        case addStore = "`addStore`"
        case close = "`close`"
        case closeStores = "`closeStores`"
    }
#endif
