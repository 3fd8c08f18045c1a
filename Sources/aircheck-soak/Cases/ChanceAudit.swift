// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools

/// Records random stations with the program, eight at a time for two and a half minutes each. Files and sidecars are
/// judged by what was sent on which connection and when, as in `AuditTests`.
struct ChanceAudit: SoakCase {
    let name = "audit"
    let hazard = "C7"

    private static let atOnce = 8
    /// How long a station takes, with its end.
    private static let seconds = 165
    /// How many histories are told when something is found.
    private static let told = 5
    /// The client gathers audio for this long, and does not read what it has gathered when it leaves a connection.
    private static let unread = Duration.seconds(1)

    func run(_ plan: SoakPlan) throws -> String {
        let rounds = max(1, plan.minutes * 60 / Self.seconds)
        let first = Int(plan.seed)
        // Programmes are made before the clock runs.
        for programme in ChanceProgramme.allCases { _ = try programme.made() }
        let table = Watched(AuditTable())
        let running = Watched(Self.atOnce)
        let failures = Watched<[String]>([])
        for lane in 0..<Self.atOnce {
            startThread("audit") {
                for round in 0..<rounds {
                    do {
                        let audited = try Self.audit(ChanceStation(seed: first + round * Self.atOnce + lane))
                        table.change { $0.add(audited, withHistory: !audited.findings.isEmpty) }
                    } catch {
                        failures.change { $0.append("\(error)") }
                    }
                }
                running.change { $0 -= 1 }
            }
        }
        let limit = Duration.seconds(rounds * (Self.seconds + 60))
        let isDone = running.wait(within: limit) { $0 == 0 ? true : nil } ?? false
        let result = table.value
        try Harm.unless(isDone && failures.value.isEmpty, "\(failures.value.joined(separator: "\n"))")
        try Harm.unless(result.isTrue, (["\(result)"] + result.histories.prefix(Self.told)).joined(separator: "\n\n"))
        return "\(result)"
    }

    private static func audit(_ station: ChanceStation) throws -> AuditedStation {
        let (began, date) = (MonotonicInstant.now, SoakClock.wall)
        let origins = try station.servers.map { try ScriptedOrigin($0.script(), began: began) }
        let folder = try TemporaryFolder("aircheck-audit")
        let length = Int(ChanceStation.length.inSeconds)
        let process = try ChildProcess(
            aircheckBinary(),
            ["record"] + origins.map { $0.url("/live") }
                + ["--pure", "--segment", "none", "--duration", "\(length)s", "--json", "--output", folder.path])
        let outcome = try process.wait(within: .seconds(length + 60))
        let log = OriginLog(joining: zip(station.servers, origins).map { ($0.host, $1.log) })
        for origin in origins { origin.stop() }
        guard outcome.succeeded else {
            throw Harm("seed \(station.seed) ended with \(outcome.ending):\n\(outcome.standardError)")
        }
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 64 << 20)
        let files = try (report["files"]?.arrayValue ?? []).compactMap(\.stringValue).map { try file(at: $0) }
        let recording = try AuditedRecording(files, of: station)
        return AuditedStation(station, recording, log, since: began, on: date, unread: unread)
    }

    /// A file of a recording, with its sidecar.
    private static func file(at path: String) throws -> BookedRecording.File {
        let base = path.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
        let json = try JSONValue(parsing: bytes(ofFile: base + ".json"), limit: 64 << 20)
        guard let sidecar = Sidecar(json: json) else { throw Harm("\(base).json is no sidecar") }
        return BookedRecording.File(sidecar, audio: try bytes(ofFile: path))
    }
}
