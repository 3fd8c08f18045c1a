// SPDX-License-Identifier: MIT

import Foundation
import TestTools
import Testing

/// `scripts/install` with the real program.
struct InstalledTests {
    @Test("The installed program has no symbols, half of the size, and works")
    func stripped() async throws {
        let folder = try TemporaryFolder()
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let built = try aircheckBinary()
        let installing = try await ChildProcess(
            "\(root)/scripts/install", [built], environment: ["DESTDIR": folder.path, "PREFIX": "/usr"]
        ).outcome(within: .seconds(60))
        #expect(installing.succeeded && installing.standardError.isEmpty, "\(installing)")

        let program = folder.file("usr/bin/aircheck")
        func size(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        #expect(try size(program) < size(built) * 2 / 3)
        // Exported symbols take 2 MB. Only GnuTLS looks for one.
        let exported = try await ChildProcess("/usr/bin/nm", ["-D", "--defined-only", program]).outcome(
            within: .seconds(60))
        #expect(exported.text.split(whereSeparator: \.isWhitespace).dropFirst() == ["T", "_gnutls_global_init_skip"])
        let version = try await ChildProcess(program, ["--version"]).outcome(within: .seconds(60))
        #expect(version.text.hasPrefix("aircheck "), "\(version)")
        let completions = try String(
            contentsOfFile: folder.file("usr/share/bash-completion/completions/aircheck"), encoding: .utf8)
        #expect(completions.contains("_aircheck_help()") && completions.contains("windows-1251"))
    }
}
