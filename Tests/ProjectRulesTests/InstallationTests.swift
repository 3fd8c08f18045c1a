// SPDX-License-Identifier: MIT

import Foundation
import Testing

struct InstallationTests {
    /// The status of `make` or a script in the project's folder, and what it said.
    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (CInt, String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: Project.root)
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    private func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("aircheck-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `where nothing is built, installing says what to do`() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, said) = try run(["scripts/install", folder.path + "/aircheck"], ["DESTDIR": folder.path])
        #expect(status == 1 && said.contains("make build"), "\(said)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `installing needs no Swift and builds nothing`() throws {
        let (status, said) = try run(["make", "--dry-run", "install"])
        #expect(status == 0 && !said.contains("swift") && said.contains("scripts/install"), "\(said)")
    }

    @Test func `installed is what was built, with completions, services and documents`() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appendingPathComponent("built")
        try "#!/bin/sh\necho \"$*\"\n".write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let (status, said) = try run(["scripts/install", program.path], ["DESTDIR": folder.path, "PREFIX": "/opt"])
        #expect(status == 0, "\(said)")
        let installed = folder.path + "/opt/"
        for file in [
            "bin/aircheck", "share/zsh/site-functions/_aircheck", "lib/systemd/system/aircheck-record@.service",
            "share/doc/aircheck/README.md", "share/man/man1/aircheck.1", "share/man/man1/aircheck-play.1",
            "share/man/man5/aircheck.toml.5",
            "lib/systemd/system/aircheck.service", "lib/systemd/system/aircheck.socket",
            "lib/systemd/user/aircheck.service", "lib/sysusers.d/aircheck.conf",
            "lib/tmpfiles.d/aircheck.conf", "share/doc/aircheck/config.example.toml",
        ] {
            #expect(FileManager.default.fileExists(atPath: installed + file), "\(file)")
        }
        let unit = try String(
            contentsOfFile: installed + "lib/systemd/system/aircheck-record@.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/opt/bin/aircheck record"))
        let configuration = try String(
            contentsOfFile: installed + "share/doc/aircheck/config.service.toml", encoding: .utf8
        ).split(separator: "\n")
        #expect(configuration.contains(#"recordings = "/var/lib/aircheck/recordings""#))
        #expect(configuration.contains(#"state = "/var/lib/aircheck/state""#))

        let (removed, answer) = try run(["scripts/install", "--remove"], ["DESTDIR": folder.path, "PREFIX": "/opt"])
        #expect(removed == 0, "\(answer)")
        let left = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(left.filter { $0.hasPrefix("opt/") && $0.contains("aircheck") }.isEmpty, "\(left)")
    }

    /// The names are put together from a prefix and the words in the code, so their ends are looked for.
    @Test(arguments: ["prometheus-alerts.yml", "grafana-dashboard.json"])
    func `alerts and pictures are of figures that there are`(name: String) throws {
        let source = Project.file("Sources/Control/Metrics/DaemonMetrics.swift").text
        let known = Set(source.matches(of: /"([a-z_]+)"/).map { String($0.output.1) })
        let used = Set(Project.file("deploy/" + name).text.matches(of: /aircheck_([a-z_]+)/).map { $0.output.1 })
        #expect(used.count >= 8)
        for figure in used {
            let ends = ["", "station_", "recording_"].filter(figure.hasPrefix).map { figure.dropFirst($0.count) }
            #expect(ends.contains { known.contains(String($0)) }, "aircheck_\(figure)")
        }
    }

    @Test func `purging the package leaves recordings alone`() {
        let removals = Project.file("deploy/debian/postrm").lines.filter { $0.contains("rm ") }
        #expect(removals.contains { $0.contains("rm -rf /var/lib/aircheck/state") })
        #expect(!removals.contains { $0.contains("recordings") })
    }

    /// The service lets no program gain rights, and most mailers have to.
    @Test func `hooks of the service can send mails, and the example says where to read how`() {
        let service = Project.file("deploy/aircheck.service").lines
        let mail = Project.file("deploy/aircheck-mail.conf").lines
        #expect(service.contains("NoNewPrivileges=yes"))
        #expect(mail.contains("[Service]") && mail.contains("BindReadOnlyPaths=/usr/bin/msmtp:/usr/sbin/sendmail"))
        #expect(Project.file("Sources/Daemon/Hooks/HookRunner.swift").text.contains("\"/usr/sbin/sendmail\""))
        #expect(Project.file("scripts/deb").text.contains("aircheck-mail.conf"))
        #expect(Project.file("deploy/README.md").text.contains("aircheck-mail.conf"))
        let hint = Project.file("config.example.toml").lines.contains { $0.contains("take msmtp, as deploy/README.md") }
        #expect(hint)
    }

    /// The daemon ends with 0 only where somebody has asked it to; a single station may also be over by itself.
    @Test(
        arguments: [
            "aircheck.service": "on-failure", "aircheck-user.service": "on-failure",
            "aircheck-record@.service": "always", "aircheck-relay@.service": "always",
        ])
    func `a service is started again for ever`(name: String, restart: String) throws {
        let lines = Project.file("deploy/" + name).lines
        func values(_ key: String) -> [Substring] {
            lines.filter { $0.hasPrefix(key + "=") }.map { $0.dropFirst(key.count + 1) }
        }
        #expect(values("StartLimitIntervalSec") == ["0"] && values("StartLimitBurst").isEmpty)
        #expect(values("Restart") == [restart[...]])
        #expect(values("RestartSec").compactMap { Int($0) }.allSatisfy { (1...30).contains($0) })
        // Wrong usage and a wrong configuration, which do not get better by themselves; a full disk is neither.
        #expect(values("RestartPreventExitStatus") == ["64 78"])
        #expect(values("Type").contains("notify") == values("WatchdogSec").contains("30"))
    }

    @Test func `the dashboard is JSON, and each of its figures has a name that people can read`() throws {
        let dashboard = try #require(
            try JSONSerialization.jsonObject(with: Data(Project.file("deploy/grafana-dashboard.json").text.utf8))
                as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]]).filter { $0["type"] as? String != "row" }
        #expect(panels.count >= 10)
        for panel in panels {
            #expect((panel["title"] as? String)?.isEmpty == false, "\(panel)")
            let targets = panel["targets"] as? [[String: Any]] ?? []
            #expect(!targets.isEmpty && targets.allSatisfy { $0["expr"] is String }, "\(panel)")
        }
    }
}
