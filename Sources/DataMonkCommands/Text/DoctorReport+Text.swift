import DataMonkCore
import Foundation

extension DoctorReport {
    /// Returns the report for people to read.
    package func text(width: Int?) -> String {
        let counts = examination.objectCounts
        var facts = [
            ("Store", url.path),
            (
                "Objects",
                "\(counts.values.reduce(0, +)) of \(counts.count == 1 ? "1 entity" : "\(counts.count) entities")"
            ),
            ("Findings", "\(examination.findings.count)"),
        ]
        if !examination.isComplete { facts.append(("", "not everything could be examined")) }
        var text = facts.map { label, value in
            "\(DisplayWidth.pad(label, to: 10, isRight: false)) \(value)\n"
        }.joined()
        for finding in examination.findings { text += "\n" + finding.text }
        if let repair { text += "\n" + repair.text }
        if let salvage { text += "\n" + salvage.text(width: width) }
        if isRefused {
            text += "\n"
            text += "No copy was made: a repair would lose data. Use --salvage, or restore a backup.\n"
        }
        return text
    }

    /// A Boolean value indicating whether there is neither a copy nor an error, although a copy was asked for.
    private var isRefused: Bool { wantsRepair && repair == nil && failure == nil }
}

extension StoreFinding {
    fileprivate var text: String {
        let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
        var text = "\(kind.rawValue)\(place.isEmpty ? "" : "  \(ValueText.visible(place))")\n"
        text += "  \(ValueText.visible(message))\n"
        let keys = rows.map { row in "\(row.primaryKey)\(row.otherKey.map { "–\($0)" } ?? "")" }
        if !keys.isEmpty { text += "  \(Self.list("Keys", keys, of: count))\n" }
        if !files.isEmpty { text += "  \(Self.list("Files", files.map(ValueText.visible), of: count))\n" }
        return text
    }

    /// The number of keys or files in a line.
    private static let listedInText = 20

    fileprivate static func list(_ title: String, _ names: [String], of count: Int) -> String {
        let shown = names.prefix(listedInText)
        let rest = count - shown.count
        return "\(title): \(shown.joined(separator: ", "))\(rest > 0 ? ", and \(rest) more" : "")"
    }
}

extension StoreRepair {
    fileprivate var text: String {
        var text = "Repaired   \(url.path)\n"
        for action in actions {
            let finding = action.finding
            let place = [finding.entityName, finding.propertyName].compactMap(\.self).joined(separator: ".")
            let rows = action.changedRows == 0 ? "" : " Rows changed: \(action.changedRows)."
            text += "  \(finding.kind.rawValue)\(place.isEmpty ? "" : " \(ValueText.visible(place))"): "
            text += "\(action.message)\(rows)\n"
        }
        return text + (actions.isEmpty ? "  Nothing had to be changed.\n" : "")
    }
}

extension StoreSalvage {
    fileprivate func text(width: Int?) -> String {
        let titles = ["Saved", "Lost", "Unreadable keys", "Lost values", "Lost links"]
        var table = TextTable(columns: [.init(title: "Entity")] + titles.map { .init(title: $0, isRight: true) })
        table.rows = counts.sorted { $0.key < $1.key }.map { name, count in
            [ValueText.visible(name)]
                + [
                    count.savedObjects, count.lostObjects, count.unreadableKeys, count.lostValues, count.lostLinks,
                ].map(String.init)
        }
        var text = "Salvaged   \(url.path)\n" + (losesHistory ? "           without its history\n" : "") + "\n"
        text += table.text(width: width)
        let uncounted = counts.filter(\.value.mayHaveLostMore).keys.sorted().map(ValueText.visible)
        if !uncounted.isEmpty { text += "\nMore may be lost than is counted: \(uncounted.joined(separator: ", "))\n" }
        if !lostFiles.isEmpty { text += "\n" + StoreFinding.list("Lost files", lostFiles, of: lostFiles.count) + "\n" }
        return text
    }
}
