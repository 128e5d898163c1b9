import BenchDataMonk
package import BenchKit

/// Every peer, in the order of the columns. A new one is a line here.
@MainActor package let standardPeers: [any Peer.Type] = [
    RawPeer.self,
    RawStreamPeer.self,
    RawTunedPeer.self,
    RawBookkeepingPeer.self,
    GRDBConnectionPeer.self,
    GRDBRecordPeer.self,
    GRDBCodablePeer.self,
    LeanPeer.self,
    dataMonkPeer,
]
