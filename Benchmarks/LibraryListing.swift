// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestTools

/// Lists a folder of ten thousand recordings including their sidecars, and compares the time with `find` and `cat` of
/// the same files, alternating. The second figure is the memory that the listing uses while it runs; none of its
/// results are kept.
struct LibraryListing {
    private static let recordings = 10_000
    private static let rounds = 5

    func run() throws -> [Figure] {
        note("library: \(Self.recordings) recordings")
        let folder = try TemporaryFolder("aircheck-library")
        for number in 0..<Self.recordings {
            let name = "FIP 2026-11-21 \(100_000 + number)"
            try folder.write("\(name).mp3", [0])
            var sidecar = LibraryMaterial.sidecar(number)
            sidecar.gaps = [LibraryMaterial.gap]
            try folder.write("\(name).json", sidecar.encoded)
        }
        var times: [(ours: Double, peer: Double)] = []
        var memory = 0
        for round in 0...Self.rounds {
            var result: Result<Int, any Error> = .success(0)
            let ours = seconds { result = Result { try list(folder) } }
            memory = max(memory, try result.get())
            var process: Result<Void, any Error> = .success(())
            let peer = seconds { process = Result { try readAll(folder) } }
            try process.get()
            // The first round fills the caches.
            if round > 0 { times.append((ours, peer)) }
        }
        return [
            Figure(
                name: "library: \(Self.recordings) recordings", ours: decimal(median(times.map(\.ours))) + " s",
                peer: "find, cat " + decimal(median(times.map(\.peer))) + " s",
                value: median(times.map { $0.ours / $0.peer }), goal: .none),
            Figure(
                name: "library: memory, MiB", ours: decimal(Double(memory) / 1_048_576), peer: "",
                value: Double(memory) / 1_048_576, goal: .atMost(8)),
        ]
    }

    /// Lists all recordings; returns the largest increase of memory, in bytes.
    private func list(_ folder: TemporaryFolder) throws -> Int {
        let meter = ProcessMeter(pid: getpid())
        let before = try meter.ownMemory()
        var (found, titles, most) = (0, 0, before)
        for segment in try Library(path: folder.path).walk() {
            found += 1
            titles += segment.sidecar?.titles.count ?? 0
            if found % 1_000 == 0 { most = max(most, try meter.ownMemory()) }
        }
        guard found == Self.recordings, titles == 15 * found else { throw SetupError("only \(found) recordings") }
        return most - before
    }

    private func readAll(_ folder: TemporaryFolder) throws {
        let command = "find '\(folder.path)' -name '*.json' -exec cat {} + > /dev/null"
        let outcome = try ChildProcess("/bin/sh", ["-c", command]).wait(within: .seconds(60))
        guard outcome.succeeded else { throw SetupError("find: \(outcome.ending)\n\(outcome.standardError)") }
    }
}
