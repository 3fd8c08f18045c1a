// SPDX-License-Identifier: MIT

import Foundation
import Testing

struct InstallationTests {
    /// The status of `make` or a script in the project's folder, and its output.
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

    @Test("An installation without a build says what to do") func nothingBuilt() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, said) = try run(["scripts/install", folder.path + "/aircheck"], ["DESTDIR": folder.path])
        #expect(status == 1 && said.contains("make build"), "\(said)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("An installation needs no Swift and builds nothing") func noSwift() throws {
        let (status, said) = try run(["make", "--dry-run", "install"])
        #expect(status == 0 && !said.contains("swift") && said.contains("scripts/install"), "\(said)")
    }

    /// Installs a program that prints its arguments below `/opt` in the folder. Returns the paths of all files there.
    private func install(in folder: URL) throws -> [String] {
        let program = folder.appendingPathComponent("built")
        try "#!/bin/sh\necho \"$*\"\n".write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let (status, said) = try run(["scripts/install", program.path], ["DESTDIR": folder.path, "PREFIX": "/opt"])
        #expect(status == 0, "\(said)")
        return files(below: folder.appendingPathComponent("opt"))
    }

    private func files(below folder: URL) -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder.path)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// The installed files that programs read: systemd, its helpers for users and folders, man, and the three shells.
    private static let readFiles: Set<String> = [
        "bin/aircheck", "share/bash-completion/completions/aircheck", "share/zsh/site-functions/_aircheck",
        "share/fish/vendor_completions.d/aircheck.fish", "lib/systemd/system/aircheck.service",
        "lib/systemd/system/aircheck.socket", "lib/systemd/system/aircheck-record@.service",
        "lib/systemd/system/aircheck-relay@.service", "lib/systemd/system/aircheck-verify.service",
        "lib/systemd/system/aircheck-verify.timer", "lib/systemd/user/aircheck.service",
        "lib/sysusers.d/aircheck.conf", "lib/tmpfiles.d/aircheck.conf",
    ]

    @Test("Installed is what was built, what systemd, shells and man read, and documents that people find")
    func installedFiles() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let installed = try install(in: folder)
        let pages = try FileManager.default.contentsOfDirectory(atPath: Project.root + "/deploy/man")
            .filter { $0 != "sections" }.map { "share/man/man\($0.suffix(1))/\($0)" }
        #expect(pages.count >= 15 && pages.contains("share/man/man5/aircheck.toml.5"))
        let documents = Set(installed).subtracting(Self.readFiles).subtracting(pages)
        #expect(Set(installed).isSuperset(of: Self.readFiles.union(pages)))
        #expect(documents.allSatisfy { $0.hasPrefix("share/doc/aircheck/") }, "\(documents)")
        // Each document is named in another document or in a unit.
        for document in documents where document != "share/doc/aircheck/README.md" {
            let name = try #require(document.split(separator: "/").last)
            let isNamed = try installed.contains { path in
                try path != document
                    && String(contentsOfFile: "\(folder.path)/opt/\(path)", encoding: .utf8).contains(name)
            }
            #expect(isNamed, "nothing that is installed names \(document)")
        }

        func text(_ path: String) throws -> String {
            try String(contentsOfFile: "\(folder.path)/opt/\(path)", encoding: .utf8)
        }
        #expect(try text("lib/systemd/system/aircheck-record@.service").contains("ExecStart=/opt/bin/aircheck record"))
        #expect(try text("share/fish/vendor_completions.d/aircheck.fish") == "--generate-completion-script fish\n")
        #expect(try text("share/doc/aircheck/README.md") == Project.file("README.md").text)
        let configuration = try text("share/doc/aircheck/config.service.toml").split(separator: "\n")
        #expect(configuration.contains(#"recordings = "/var/lib/aircheck/recordings""#))
        #expect(configuration.contains(#"state = "/var/lib/aircheck/state""#))
    }

    @Test("Links of installed documents lead to what is installed")
    func installedLinks() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let documents = try install(in: folder).filter { $0.hasSuffix(".md") }
        #expect(documents.count >= 8)
        for document in documents {
            let file = folder.appendingPathComponent("opt/" + document)
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /\]\(([^)\s]+)\)/) {
                let target = match.output.1.prefix { $0 != "#" }
                guard !target.isEmpty, !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
                let path = file.deletingLastPathComponent().path + "/" + target
                #expect(FileManager.default.fileExists(atPath: path), "\(document): \(target)")
            }
        }
    }

    @Test("Uninstalling removes what was installed, and nothing else")
    func removal() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let installed = try install(in: folder)
        #expect(installed.count > 40)
        let opt = folder.appendingPathComponent("opt")
        let foreign = ["share/doc/aircheck/notes.txt", "share/man/man1/airchecker.1", "bin/other"]
        for path in foreign {
            try "mine".write(to: opt.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
        let remove = ["scripts/install", "--remove"]
        let (removed, answer) = try run(remove, ["DESTDIR": folder.path, "PREFIX": "/opt"])
        #expect(removed == 0, "\(answer)")
        #expect(Set(files(below: opt)) == Set(foreign))
        #expect(!FileManager.default.fileExists(atPath: opt.path + "/share/doc/aircheck/docs"))

        // Without foreign files, the folder of documents is removed, too. Removing files that do not exist is not an
        // error.
        try FileManager.default.removeItem(at: opt.appendingPathComponent(foreign[0]))
        let (again, more) = try run(remove, ["DESTDIR": folder.path, "PREFIX": "/opt"])
        #expect(again == 0, "\(more)")
        #expect(!FileManager.default.fileExists(atPath: opt.path + "/share/doc/aircheck"))
    }

    /// The code assembles the names from a prefix and words, so only the ends of the names are compared.
    @Test(
        "Alerts and dashboards use figures that exist", arguments: ["prometheus-alerts.yml", "grafana-dashboard.json"])
    func figures(name: String) throws {
        let files = Project.sources.filter { $0.path.contains("/Metrics/") || $0.text.contains("EventMetric(") }
        let source = files.map(\.text).joined()
        let known = Set(source.matches(of: /"(?:aircheck_)?([a-z_]+)"/).map { String($0.output.1) })
        let used = Set(Project.file("deploy/" + name).text.matches(of: /aircheck_([a-z_]+)/).map { $0.output.1 })
        #expect(used.count >= 8)
        for figure in used {
            let ends = ["", "station_", "recording_"].filter(figure.hasPrefix).map { figure.dropFirst($0.count) }
            #expect(ends.contains { known.contains(String($0)) }, "aircheck_\(figure)")
        }
    }

    @Test("Purging the package keeps the recordings") func purging() {
        let removals = Project.file("deploy/debian/postrm").lines.filter { $0.contains("rm ") }
        #expect(removals.contains { $0.contains("rm -rf /var/lib/aircheck/state") })
        #expect(!removals.contains { $0.contains("recordings") })
    }

    /// The service forbids its programs to gain privileges, and most mailers need some.
    @Test("Hooks of the service can send mails, and the example says where to read how") func mailHook() {
        let service = Project.file("deploy/aircheck.service").lines
        let mail = Project.file("deploy/aircheck-mail.conf").lines
        #expect(service.contains("NoNewPrivileges=yes"))
        #expect(mail.contains("[Service]") && mail.contains("BindReadOnlyPaths=/usr/bin/msmtp:/usr/sbin/sendmail"))
        #expect(
            Project.file("Sources/Configuration/Settings/Configuration.swift").text.contains("\"/usr/sbin/sendmail\""))
        #expect(Project.file("scripts/install").text.contains("aircheck-mail.conf"))
        #expect(Project.file("deploy/README.md").text.contains("aircheck-mail.conf"))
        let hint = Project.file("config.example.toml").lines.contains { $0.contains("take msmtp, as deploy/README.md") }
        #expect(hint)
    }

    /// The daemon exits with 0 only on request; a single station may also end by itself.
    @Test(
        "A service is restarted for ever",
        arguments: [
            "aircheck.service": "on-failure", "aircheck-user.service": "on-failure",
            "aircheck-record@.service": "always", "aircheck-relay@.service": "always",
        ])
    func restarting(name: String, restart: String) throws {
        let lines = Project.file("deploy/" + name).lines
        func values(_ key: String) -> [Substring] {
            lines.filter { $0.hasPrefix(key + "=") }.map { $0.dropFirst(key.count + 1) }
        }
        #expect(values("StartLimitIntervalSec") == ["0"] && values("StartLimitBurst").isEmpty)
        #expect(values("Restart") == [restart[...]])
        #expect(values("RestartSec").compactMap { Int($0) }.allSatisfy { (1...30).contains($0) })
        // A restart mends neither wrong usage (64) nor a wrong configuration (78). A full disk has another status.
        #expect(values("RestartPreventExitStatus") == ["64 78"])
        #expect(values("Type").contains("notify") == values("WatchdogSec").contains("30"))
        // Otherwise systemd would end running hooks at once.
        #expect(values("KillMode") == ["mixed"])
    }

    @Test("The dashboard is JSON, and each of its panels has a title") func dashboard() throws {
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
