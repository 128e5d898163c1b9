import DataMonk
import Foundation

// Prints times, which depend on the machine: for articles and for comparisons, not for tests.

func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1_000) }

/// The processor time of the calling thread, in seconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// By an object: an optimized build may keep the result of `pthread_self` across an await.
func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

/// The processor time of all threads, in seconds.
func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The resident memory in megabytes.
func residentMegabytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * 4_096 / 1_000_000
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let count = Int(arguments[1]) else {
    let usage = """
        usage: turns merge|fetch|updates|idle|observers|memory|processes COUNT [observed|list|deleted|serial]
               turns list SECONDS

        """
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
}
let option = arguments.dropFirst(2).first ?? ""

do {
    switch arguments[0] {
    case "merge": try await measureMerges(count, option)
    case "fetch": try await measureFetches(count)
    case "updates": try await measureUpdates(count, option)
    case "idle": try await measureIdle(count)
    case "observers": try await measureObservers(count)
    case "list": try await measureList(count)
    case "memory": try await measureMemory(count)
    case "processes": try await measureOtherProcesses(count)
    case "write": try await writeMessages(count, to: option)
    default: fatalError("no measurement \(arguments[0])")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
