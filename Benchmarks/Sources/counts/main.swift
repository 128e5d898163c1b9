import BenchDataMonk
import BenchKit
import Foundation

exit(runBenchmarks(peers: [dataMonkPeer], arguments: Array(CommandLine.arguments.dropFirst())))
