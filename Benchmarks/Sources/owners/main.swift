import Foundation

// The checks of owners in an optimized build. Each way out of a step is gone in a process of its own, which has to stop with
// the rule: those of `OwnerCheckTests`, without the trait `OwnerChecks` only the ones that are stopped always.

#if OwnerChecks
    let isEveryAccessChecked = true
#else
    let isEveryAccessChecked = false
#endif

if let name = CommandLine.arguments.dropFirst().first {
    guard let way = WayOut(rawValue: name) else { fatalError("no way \(name)") }
    try await way.run()
    exit(0)
}

var failures = 0
let ways = WayOut.allCases.filter { isEveryAccessChecked || $0.isStoppedAlways }
for way in ways {
    let (status, output) = try outcome(of: way)
    let explanation = way.explanation(isEveryAccessChecked: isEveryAccessChecked)
    if status != 0, output.contains(explanation) { continue }
    failures += 1
    print("\(way) did not stop with “\(explanation)”, but ended with \(status):\n\(output)")
}
let moves = try await goThroughAwaits()
if moves == 0 {
    failures += 1
    print("No step went on on another thread after an await, so nothing is known of threads' numbers.")
}
print("\(ways.count) ways out, \(failures) failures; \(moves) awaits after which a step went on on another thread")
exit(failures == 0 ? 0 : 1)
