import Foundation

/// **Value.** The command's arguments.
struct Options {
    /// How many rows; a table for each, and one of what a row costs by their number.
    var counts = [100_000]
    var rounds = 7
    var peers: [String] = []
    var workloads: [String] = []
    var seconds = 1.0
    /// Divides how often the repeated workloads repeat.
    var reduction = 1
    var directory = FileManager.default.temporaryDirectory.appendingPathComponent("databench").path
    var json: String?
    /// Files of samples to make tables of, in place of measuring.
    var reported: [String] = []
    /// The file whose table is written anew.
    var figures: String?
    var list = false
    var quiet = false
    /// A table for each.
    var baselines = ["raw"]
    /// For valgrind: no round to warm up, no check against other peers.
    var single = false
    /// Gives the heap back to the kernel before each sample: page faults are then in the figures.
    var coldHeap = false

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            if try setSwitch(flag) { continue }
            guard let value = rest.popFirst() else { throw BenchError("\(flag) needs a value\n\(Self.usage)") }
            try set(flag, to: value)
        }
    }

    private mutating func setSwitch(_ flag: String) throws -> Bool {
        switch flag {
        case "--list": list = true
        case "--quiet": quiet = true
        case "--single": single = true
        case "--cold-heap": coldHeap = true
        case "--help", "-h": throw BenchError(Self.usage)
        default: return false
        }
        return true
    }

    private mutating func set(_ flag: String, to value: String) throws {
        switch flag {
        case "--n": counts = try list(value).map { try number($0, flag) }
        case "--rounds": rounds = try number(value, flag)
        case "--reduce": reduction = try number(value, flag)
        case "--seconds": seconds = Double(try number(value, flag))
        case "--peers": peers = list(value)
        case "--workloads": workloads = list(value)
        case "--dir": directory = value
        case "--json": json = value
        case "--report": reported = list(value)
        case "--figures": figures = value
        case "--baseline": baselines = list(value)
        default: throw BenchError("unknown option \(flag)\n\(Self.usage)")
        }
    }

    private func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private func number(_ text: String, _ flag: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw BenchError("\(flag) needs a number above 0") }
        return number
    }

    private static let usage = """
        databench [--n ROWS,ROWS] [--rounds R] [--peers a,b] [--workloads W2,W7] [--seconds S (W10)] [--json FILE]
                  [--dir FOLDER] [--baseline PEER,PEER] [--reduce K] [--single] [--cold-heap] [--list] [--quiet]
        databench --report FILE,FILE [--figures FILE] [--baseline PEER,PEER]
        """
}
