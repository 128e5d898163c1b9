import BenchKit
import BenchPeers
import Foundation

exit(await runBenchmarks(peers: standardPeers, arguments: Array(CommandLine.arguments.dropFirst())))
