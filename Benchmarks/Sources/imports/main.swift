import Foundation

// W18: ways to get rows into a file and out of it, each in a process of its own. Prints rates and the most memory that a process
// had while it was measured.

var arguments = Array(CommandLine.arguments.dropFirst())
var givenFolder: URL?
if let option = arguments.firstIndex(of: "--in"), arguments.indices.contains(option + 1) {
    givenFolder = URL(fileURLWithPath: arguments[option + 1])
    arguments.removeSubrange(option...(option + 1))
}
let asked = arguments.dropFirst().compactMap { Measurement(rawValue: $0) }
guard let count = arguments.first.flatMap({ Int($0) }), asked.count == arguments.count - 1 else {
    FileHandle.standardError.write(
        Data("usage: imports COUNT [\(Measurement.allCases.map(\.rawValue).joined(separator: "|"))]…\n".utf8))
    exit(2)
}

do {
    if asked.count == 1 {
        let measurement = asked[0]
        let folder =
            givenFolder ?? FileManager.default.temporaryDirectory.appendingPathComponent("imports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let seconds = try await measurement.run(count, in: folder)
        if givenFolder != nil { exit(0) }
        try FileManager.default.removeItem(at: folder)
        print(
            String(
                format: "%-8@ %9d rows %7.2f s %9.0f rows/s %6.0f MB", measurement.rawValue as NSString, count, seconds,
                Double(count) / seconds, Memory.peak))
    } else {
        for measurement in asked.isEmpty ? Measurement.allCases : asked { try Measurement.runAlone(measurement, count) }
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
