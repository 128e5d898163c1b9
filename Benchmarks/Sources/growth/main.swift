import Foundation

// The instructions that `measured` takes are counted by scripts/growth.sh, which runs this under callgrind.

@inline(never)
func measured(_ work: () throws -> Void) rethrows { try work() }

let arguments = CommandLine.arguments.dropFirst()
guard let scenario = arguments.first.flatMap(Scenario.init), let count = arguments.last.flatMap({ Int($0) }) else {
    let names = Scenario.allCases.map(\.rawValue).joined(separator: "|")
    FileHandle.standardError.write(Data("usage: growth \(names) COUNT\n".utf8))
    exit(2)
}
try scenario.run(count) { try measured($0) }
