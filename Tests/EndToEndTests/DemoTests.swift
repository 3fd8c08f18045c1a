// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

struct DemoTests {
    @Test("The demo records the bundled programme without a network, ends by itself, and names its files")
    func demo() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(["demo", "--duration", "6s", "--json"], directory: folder.path)
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        let report = try Report(outcome)
        #expect(report.seconds > 5 && report.error == nil && !report.titles.isEmpty, "\(report)")
        let names = try folder.contents().filter { $0.hasSuffix(".mp3") }
        #expect(names.count == report.files.count && names.allSatisfy { $0.hasPrefix("recordings/") }, "\(names)")
        for name in names {
            #expect(outcome.standardError.contains(name), "\(outcome.standardError)")
            #expect(try await onThread { try MediaProbe.decodingErrors(folder.file(name)) } == "")
        }
    }

    @Test("Completions are printed for every shell, and help names every command")
    func completionsAndHelp() async throws {
        for shell in ["bash", "zsh", "fish"] {
            let outcome = try await Aircheck.run(["--generate-completion-script", shell])
            #expect(outcome.succeeded && outcome.text.contains("aircheck"), "\(shell)")
        }
        let help = try await Aircheck.run(["--help"])
        #expect(help.succeeded)
        for command in ["record", "probe", "demo"] { #expect(help.text.contains(command)) }
        #expect(try await Aircheck.run(["--version"]).text.contains("."))
    }
}
