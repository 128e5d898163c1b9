import Foundation
import Testing

/// A private PostgreSQL server in a folder of its own, reached by a Unix socket there.
struct PostgresServer {
    /// The server trusts everybody. A password is in the URL so that it can be looked for elsewhere.
    static let password = "open-sesame"

    let program: Program
    let url: String

    private static let script = """
        "$1" -D "$3/data" -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions || exit 1
        exec "$2" -D "$3/data" -k "$3" -c listen_addresses= -c fsync=off -c shared_buffers=16MB
        """

    init(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        var user: [String] = []
        // initdb refuses to run as root.
        if getuid() == 0, let postgres = getpwnam("postgres") {
            #expect(chown(folder.path, postgres.pointee.pw_uid, postgres.pointee.pw_gid) == 0)
            user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        }
        let paths = ["initdb", "postgres"].map { Program.path(of: $0) ?? $0 }
        program = try Program(
            "/usr/bin/env", ["LC_ALL=C"] + user + ["sh", "-c", Self.script, "sh"] + paths + [folder.path],
            signal: "QUIT", until: /(ready to accept connections)/)
        let host = folder.path.replacingOccurrences(of: "/", with: "%2F")
        url = "postgresql://postgres:\(Self.password)@\(host)/postgres"
    }
}
