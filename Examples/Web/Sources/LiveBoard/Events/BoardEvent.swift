import Foundation

/// **Value.** A message to browsers: everything, or the steps from one state to the next.
///
/// Steps mean what they mean in `UICollectionView`: deletions and the sources of moves have their places before the event,
/// insertions and the ends of moves those after it. `reloaded` comes last.
enum BoardEvent: Encodable, Sendable {
    struct Section: Encodable, Sendable {
        let index: Int
        let title: String
        let jobs: [JobInfo]
    }

    struct Row: Encodable, Sendable {
        let at: [Int]
        let job: JobInfo
    }

    struct Move: Encodable, Sendable {
        let from: [Int]
        let to: [Int]
        let job: JobInfo
    }

    struct Steps: Encodable, Sendable {
        var deletedSections: [Int] = []
        var insertedSections: [Section] = []
        var deleted: [[Int]] = []
        var inserted: [Row] = []
        var moved: [Move] = []
        var reloaded: [Row] = []
    }

    case all([Section])
    case steps(Steps)

    /// Its name in the stream.
    var name: String {
        switch self {
        case .all: "all"
        case .steps: "steps"
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .all(let sections): try sections.encode(to: encoder)
        case .steps(let steps): try steps.encode(to: encoder)
        }
    }

    /// The event in the form of a stream of server-sent events. JSON has no line breaks, so it is one line of data.
    func message(id: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(self)
        return "id: \(id)\nevent: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
    }
}
