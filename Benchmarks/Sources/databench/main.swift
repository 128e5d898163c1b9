import BenchKit
import BenchPeers
import Foundation

exit(runBenchmarks(peers: standardPeers, arguments: Array(CommandLine.arguments.dropFirst())))
