// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Glibc
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import TestTools
import Testing

@testable import Recorder

/// The entries in the sidecars of a recording's files, put together, are those of the recording's ledger.
@Suite("Sidecars out of one ledger")
struct LedgerDerivationTests {
    @Test("A33: A stretch has the time of its recorded part, unless frames in its middle are lost")
    func partOfStretch() {
        let at = WallInstant(nanoseconds: 0)
        func entry(_ recorded: [Range<Int64>]) -> Sidecar.Stretch? {
            var ledger = RecordingLedger(zone: FixedZone.utc)
            for range in recorded {
                ledger.count(first: range.lowerBound, frames: Int64(range.count), bytes: 0, seconds: 0)
            }
            ledger.enter(.stretch(Stretch(.foreign, frames: 100..<200, at: at, length: .seconds(10))))
            return ledger.stretches[.foreign].first
        }
        func stretch(at second: Int, frames: Int64, position: Int64 = 0) -> Sidecar.Stretch {
            .init(
                at: CivilTime(at + .seconds(second), in: FixedZone.utc), milliseconds: frames * 100, position: position,
                frames: frames)
        }
        #expect(entry([150..<300]) == stretch(at: 5, frames: 50))
        #expect(entry([100..<130, 150..<300]) == stretch(at: 0, frames: 80))
        #expect(entry([20..<150]) == stretch(at: 0, frames: 50, position: 80))
    }

    @Test(
        "Every entry of the ledger is in the file of its frame, whatever happens and whatever the disk does",
        arguments: 0..<12)
    func everyEntry(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rig = try RecorderRig(playing: .seconds(1)) { $0.policy = .period(.seconds(7)) }
        var starts: [Position] = []
        for step in 0..<30 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: rig.hub.setTitle("Song \(step)")
            case 1, 2:
                starts.append(rig.hub.position)
                rig.hub.report(.gap(Gap(at: rig.reactor.wallNow, length: .seconds(1), cause: "drop \(step)")))
                rig.settleAirTime()
            case 3:
                rig.hub.flush()
                rig.recorder.receive(
                    .splice(
                        Splice(position: rig.hub.position, at: rig.reactor.wallNow, droppedFrames: 9, method: .match)))
            case 4:
                guard let start = starts.randomElement(using: &random) else { continue }
                let kind: Stretch.Kind = Bool.random(using: &random) ? .foreign : .repeated
                let length = Duration.samples(rig.hub.position.samples - start.samples, at: 44_100)
                rig.hub.flush()
                rig.recorder.receive(
                    .stretch(
                        Stretch(
                            kind, frames: start.frames..<rig.hub.position.frames, at: rig.reactor.wallNow - length,
                            length: length)))
            case 5:
                // The queue overflows, and the audio that was taken is cut off in the middle.
                rig.system.setRoom(Int.random(in: 0...30_000, using: &random))
                rig.play(.seconds(Int.random(in: 1...80, using: &random)))
                rig.system.setRoom(nil)
            case 6:
                // After a failed sync the content of a file is unknown: the file is left behind, and another one
                // begins.
                rig.system.setErrors(["sync": EIO])
                rig.play(.seconds(6))
                rig.system.setErrors([:])
            case 7:
                guard let part = rig.names.last(where: { $0.hasSuffix(".part") }) else { continue }
                unlink(rig.folder.file(part))
            default: break
            }
            rig.play(.milliseconds(Int.random(in: 100...3_000, using: &random)))
        }
        try check(rig.stop(), rig)
    }

    private func check(_ report: RecordingReport, _ rig: RecorderRig) throws {
        var first: Int64 = 0
        for (index, segment) in report.segments.enumerated() {
            let frames = first..<first + segment.frames
            first = frames.upperBound
            // An incomplete file keeps the sidecar that it had when it was left.
            guard segment.isComplete else { continue }
            let name = try #require(segment.path.split(separator: "/").last?.split(separator: ".").first)
            let sidecar = try #require(rig.sidecar("\(name).json"))
            #expect(sidecar.frames == segment.frames && sidecar.state == .complete)
            // An entry after the last frame is in the last file.
            let isLast = index == report.segments.count - 1
            let range = frames.lowerBound..<frames.upperBound + (isLast ? 1 : 0)
            // The entries are compared as JSON, because a sidecar that was read has times in milliseconds.
            #expect(sidecar.gaps.map(\.json) == entries(report.gaps, \.position, in: range).map(\.json))
            #expect(sidecar.splices.map(\.json) == entries(report.splices, \.position, in: range).map(\.json))
            let titles = entries(report.titles, \.position, in: range)
            #expect(sidecar.titles.suffix(titles.count).map(\.json) == titles.map(\.json))
            #expect(sidecar.titles.dropLast(titles.count).allSatisfy { $0.position == 0 })
            for (own, all) in [
                (sidecar.foreign, report.stretches[.foreign]), (sidecar.repeated, report.stretches[.repeated]),
            ] {
                let parts = all.compactMap { $0.clamped(to: frames) }
                #expect(own.map(\.position) == parts.map { $0.position - frames.lowerBound })
                #expect(own.map(\.frames) == parts.map(\.frames))
            }
        }
        #expect(first == report.frames)
    }

    /// The entries of the frames in `range`, counted from its beginning.
    private func entries<Entry>(
        _ entries: [Entry], _ position: WritableKeyPath<Entry, Int64>, in range: Range<Int64>
    ) -> [Entry] {
        entries.filter { range.contains($0[keyPath: position]) }.map { entry in
            var entry = entry
            entry[keyPath: position] -= range.lowerBound
            return entry
        }
    }

    @Test("A ledger of months keeps the newest entries, and no more than a report has")
    func bounded() {
        var ledger = RecordingLedger(zone: FixedZone.utc)
        for index in 0..<Int64(25_000) {
            let at = WallInstant(nanoseconds: index * 60_000_000_000)
            let position = Position(frames: index * 100, bytes: 0, samples: 0)
            ledger.enter(.title(StreamTitle(text: "\(index)", position: position), airTime: at))
            ledger.enter(
                .discontinuity(Discontinuity(kind: .gap(Gap(at: at, length: nil, cause: "")), position: position)))
            ledger.enter(
                .stretch(Stretch(.repeated, frames: position.frames - 99..<position.frames, at: at, length: .zero)))
            ledger.lose(Gap(at: at, length: .seconds(1), cause: "disk"))
            _ = ledger.endLosses()
            ledger.count(first: index * 100, frames: 90, bytes: 1, seconds: 1)
            _ = ledger.insert(Gap(at: at, length: nil, cause: "cut"), at: index * 90 + 45)
        }
        for count in [ledger.titles.count, ledger.gaps.count, ledger.stretches[.repeated].count] {
            #expect((9_000...10_000).contains(count))
        }
        #expect(ledger.titles.last?.position == 24_999 * 90 && ledger.titles.last?.text == "24999")
        #expect(ledger.gaps.map(\.position) == ledger.gaps.map(\.position).sorted())
    }
}
