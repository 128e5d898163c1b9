import Foundation

/// Debian's nginx, in front of the instances of a bank.
enum LoadBalancer {
    /// Starts nginx with files in a folder of its own.
    ///
    /// It asks another instance where one cannot be reached, or is gone before it has answered: `PUT` may be repeated. The
    /// header `Instance` of an answer has all that were asked.
    static func start(in folder: URL, socketPath: String, over instances: [String]) throws -> Program {
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: false)
        let servers = instances.map { "server unix:\($0) max_fails=1 fail_timeout=1s;" }.joined(separator: "\n        ")
        let configuration = """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr notice;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path bodies;
                proxy_temp_path answers;
                fastcgi_temp_path unused;
                uwsgi_temp_path unused;
                scgi_temp_path unused;
                upstream bank {
                    \(servers.replacingOccurrences(of: "\n", with: "\n    "))
                    keepalive 16;
                }
                server {
                    listen unix:\(socketPath);
                    location / {
                        proxy_pass http://bank;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_next_upstream error timeout;
                        proxy_read_timeout 300s;
                        add_header Instance $upstream_addr always;
                    }
                }
            }

            """
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        // It says which system this is once it listens.
        return try Program(
            Program.path(of: "nginx") ?? "nginx", ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"],
            until: /(OS: )/)
    }
}
