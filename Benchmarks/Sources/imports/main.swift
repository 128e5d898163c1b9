import Foundation

// W18: ways to get rows into a file, each in a process of its own. Prints rates and the most memory that a process had.

/// The most memory that the process has had, in megabytes.
func peakMegabytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
        let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
    else { return 0 }
    return kilobytes / 1_000
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let count = arguments.first.flatMap({ Int($0) }) else {
    FileHandle.standardError.write(
        Data("usage: imports COUNT [\(Measurement.allCases.map(\.rawValue).joined(separator: "|"))]…\n".utf8))
    exit(2)
}
let names = arguments.count > 1 ? Array(arguments.dropFirst()) : Measurement.allCases.map(\.rawValue)

do {
    if names.count == 1, let measurement = Measurement(rawValue: names[0]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("imports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let seconds = try await measurement.run(count, in: folder)
        try FileManager.default.removeItem(at: folder)
        print(
            String(
                format: "%-8@ %9d rows %7.2f s %9.0f rows/s %6d MB", measurement.rawValue as NSString, count, seconds,
                Double(count) / seconds, peakMegabytes()))
    } else {
        for name in names {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["\(count)", name]
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { exit(process.terminationStatus) }
        }
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
