import ArgumentParser
import DataMonk
import Foundation

/// **Value.** The format of a file of rows, as the user names it or as its name ends.
enum TransferFormat: String, ExpressibleByArgument, CaseIterable {
    case json, jsonl, csv

    /// Returns the format for the end of a file's name, or `nil` for others.
    init?(ofFile path: String) {
        switch URL(filePath: path).pathExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv", "tsv": self = .csv
        default: return nil
        }
    }
}

/// **Value.** The arguments on the format of rows.
struct FormatArguments: ParsableArguments {
    @Option(help: "The format of the rows. Without it, the file's name decides: json, jsonl, ndjson, csv or tsv.")
    var format: TransferFormat?

    @Option(help: "The delimiter of CSV: comma, semicolon, tab or bar. Without it a comma, and a tab in tsv files.")
    var delimiter: DelimiterArgument?

    init() {}

    /// Returns the format of a file.
    func format(ofFile path: String) throws -> TransferFormat {
        if let format = format ?? TransferFormat(ofFile: path) { return format }
        throw CommandError(
            "The name \(path) does not tell the format of the rows. Say --format json, jsonl or csv.", .usage)
    }

    /// Returns the variant of CSV in a file.
    func csv(ofFile path: String) -> CSVFormat {
        let usual = URL(filePath: path).pathExtension.lowercased() == "tsv" ? CSVFormat.Delimiter.tab : .comma
        return CSVFormat(delimiter: delimiter?.delimiter ?? usual)
    }
}

/// **Value.** The name of a delimiter, which is easier to type than a tab.
enum DelimiterArgument: String, ExpressibleByArgument, CaseIterable {
    case comma, semicolon, tab, bar

    var delimiter: CSVFormat.Delimiter {
        switch self {
        case .comma: .comma
        case .semicolon: .semicolon
        case .tab: .tab
        case .bar: .bar
        }
    }
}
