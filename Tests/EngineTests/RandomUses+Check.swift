// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import TestSupport
import Testing

@testable import Engine

// The checks that must hold, whatever was drawn.
extension RandomUses {
    func check() throws {
        #expect(rig.outcomes.count == uses.count && rig.registry.snapshot.uses.isEmpty, "seed \(seed)")
        #expect(rig.registry.snapshot.programmes.values.allSatisfy { $0.station == nil }, "all have been let go of")
        #expect(rig.registry.snapshot.programmes.count == stations.count, "seed \(seed)")
        #expect(rig.origin.transfersUnderWay == 0 && hubs.living == 0, "seed \(seed): \(hubs.living) hubs are left")
        let sources = stations.map { PlayedFrames.Source($0.broadcast) }
        for (number, station) in stations.enumerated() {
            let all = uses.filter { $0.programme == number }
            for use in all { checkRefusal(use) }
            let own = all.filter { !wasRefused($0) }
            let connections = rig.connections(to: station.name)
            // Fallbacks are left out, because they also run for the mounts that use them.
            if number >= Self.fallbacks, station.troubles.isEmpty {
                // The time at which a probe ends is known only roughly. So a use that begins at about that time may or
                // may not need a new connection.
                let range = runs(of: own)...runs(of: own, probesEndEarlierBy: 0.06)
                #expect(range.contains(connections), "seed \(seed), \(station): \(connections) of \(range)")
            }
            let sent = station.troubles.isEmpty ? [] : station.frames(sentBy: rig.origin.log, began: rig.began)
            let checker = station.troubles.isEmpty ? nil : FrameChecker(station.broadcast)
            for use in own { try check(use, sources[number], use.fallback.map { sources[$0] }, checker, sent) }
        }
        // Each case must have occurred, because otherwise this run has not tested it.
        #expect(seen.fillers > 0 && seen.fallbacks > 0 && seen.holes > 0 && seen.past > 0 && seen.refused > 0)
    }

    private func wasRefused(_ use: DrawnUse) -> Bool {
        rig.outcomes[UseID(use.id)]?.failure?.failureClass == .internal
    }

    /// A use cannot begin while its programme is missing, or while the removed programme of that name still exists.
    private func checkRefusal(_ use: DrawnUse) {
        guard let absence = stations[use.programme].absence, use.begin > absence.lowerBound else {
            return #expect(!wasRefused(use), "\(said(use))")
        }
        let isGone = use.begin < max(absence.upperBound, leaveTime(of: use.programme, absence.lowerBound))
        #expect(wasRefused(use) == isGone, "\(said(use))")
        if isGone { seen.refused += 1 }
    }

    /// The time at which a removed programme is forgotten, which is when no use names it.
    private func leaveTime(of programme: Int, _ removed: Double) -> Double {
        let users = uses.filter { [$0.programme, $0.fallback].contains(programme) && !wasRefused($0) }
        var time = removed
        while let last = users.filter({ $0.begin < time && ended($0) > time }).map(ended).max() { time = last }
        return time
    }

    private func ended(_ use: DrawnUse) -> Double {
        rig.ends[UseID(use.id)].map { ($0 - rig.began).inSeconds } ?? .infinity
    }

    /// How often a programme has to be connected to for these uses: once for each span in which it is needed.
    private func runs(of uses: [DrawnUse], probesEndEarlierBy early: Double = 0.01) -> Int {
        var needs: [(from: Double, to: Double)] = []
        for use in uses {
            switch use.kind {
            case .recording, .pastRecording, .airTimeRecording, .mount, .keeping: needs.append((use.begin, use.end))
            // A probe ends as soon as it has seen enough.
            case .probe: needs.append((use.begin, ended(use) - early))
            case .onDemand:
                guard let listening = use.listening else { continue }
                let removed = stations[use.programme].absence?.lowerBound ?? .infinity
                let until = listening.upperBound + Self.linger + 0.03
                needs.append((listening.lowerBound, use.begin < removed ? min(until, removed) : until))
            }
        }
        var (runs, until) = (0, -1.0)
        for need in needs.sorted(by: { $0.from < $1.from }) {
            if need.from > until { runs += 1 }
            until = max(until, need.to)
        }
        return runs
    }

    private func check(
        _ use: DrawnUse, _ source: PlayedFrames.Source, _ fallback: PlayedFrames.Source?, _ checker: FrameChecker?,
        _ sent: [DrawnStation.Sent]
    ) throws {
        let station = stations[use.programme]
        switch use.kind {
        case .recording, .pastRecording, .airTimeRecording:
            try checkRecording(use, source, checker, sent)
        case .mount, .onDemand:
            guard let outcome = rig.outcomes[UseID(use.id)] as? MountOutcome else {
                Issue.record("\(said(use)) has not ended")
                return
            }
            #expect(outcome.failure == nil, "\(said(use))")
            try checkListener(use, source, fallback, sent)
        case .probe:
            guard let result = rig.outcomes[UseID(use.id)] as? ProbeResult else {
                Issue.record("\(said(use)) has not ended")
                return
            }
            guard !station.isTroubled(from: use.begin, to: use.end) else { return }
            #expect(result.failure == nil && result.format?.sampleRate == 44_100, "\(said(use))")
        case .keeping:
            guard let outcome = rig.outcomes[UseID(use.id)] as? KeepingOutcome else {
                Issue.record("\(said(use)) has not ended")
                return
            }
            #expect(outcome.failure == nil, "\(said(use))")
            expect(expectOrder(outcome.heard.report, of: use, sent), from: use.begin + 0.2, to: use.end - 0.4, of: use)
        }
    }

    private func checkRecording(
        _ use: DrawnUse, _ source: PlayedFrames.Source, _ checker: FrameChecker?, _ sent: [DrawnStation.Sent]
    ) throws {
        let isTroubled = stations[use.programme].isTroubled(from: use.beginOfAudio, to: use.end)
        let outcome = try #require(rig.recording(use.id), "\(said(use))")
        #expect(outcome.failure == nil, "\(said(use))")
        guard outcome.report.frames > 0 else {
            #expect(isTroubled || use.end - use.begin < 0.5, "\(said(use))")
            return
        }
        let audio = try rig.audio(use.id)
        let places: [Int]
        if let stretch = source.broadcast.stretch(of: audio, startingAt: source.starts) {
            places = Array(stretch)
        } else {
            let checker = try #require(checker, "\(said(use))")
            places = expectOrder(checker.check(audio), of: use, sent)
        }
        #expect(isTroubled || outcome.report.gaps.isEmpty, "\(said(use))")
        expectGaps(outcome.report.gaps.map { Int($0.position) }, where: places, of: use)
        #expect(places.count == Int(outcome.report.frames), "\(said(use))")
        #expect(
            outcome.report.stretches[.foreign].isEmpty && outcome.report.stretches[.repeated].isEmpty, "\(said(use))")
        let past = checkPast(use, places, source)
        expect(places, from: use.begin - past + 0.2, to: use.end - 0.4, of: use)
    }

    /// Expects that no frame is repeated, out of order or foreign, and that no frame that was available is missing.
    /// Returns the places that were received.
    private func expectOrder(_ report: FrameReport, of use: DrawnUse, _ sent: [DrawnStation.Sent]) -> [Int] {
        #expect(
            report.duplicated.isEmpty && report.disorders == 0 && report.foreign == 0 && report.junkBytes == 0,
            "\(said(use)): \(report)")
        let station = stations[use.programme]
        let lost = report.lost.filter { use.mayHave($0, sent) || !isTroubled($0, of: station) }
        #expect(lost.isEmpty, "\(said(use)): \(report), but \(lost.count) \(lost.prefix(8)) were to be had")
        seen.holes += report.lost.isEmpty ? 0 : 1
        return report.places.compactMap(\.self)
    }

    /// Expects that each observable hole is reported as a gap, and that each gap is a hole.
    private func expectGaps(_ gaps: [Int], where places: [Int], of use: DrawnUse) {
        let station = stations[use.programme]
        let holes = places.indices.dropFirst().filter { places[$0] > places[$0 - 1] + 1 }
        // Whether a hole is reported as a gap, perhaps one frame early: until another frame arrives, it is unknown
        // whether the last frame before a silence was whole.
        func isTold(_ hole: Int) -> Bool { gaps.contains(hole) || gaps.contains(hole - 1) }
        let hidden = holes.filter { !isTold($0) }
        #expect(
            hidden.allSatisfy { station.mayHide(places[$0 - 1] + 1..<places[$0]) },
            "\(said(use)): gaps \(gaps), holes \(holes)")
        // Audio that is missing before the first frame or after the last one is a gap as well.
        let others = gaps.filter { $0 > 0 && $0 < places.count && !holes.contains($0) && !holes.contains($0 + 1) }
        // A hole that did not show at first is noticed at the next silence, and is reported there as a gap.
        #expect(
            others.allSatisfy { station.hasHidden(before: places[$0]) }, "\(said(use)): gaps \(gaps), holes \(holes)")
    }

    private func isTroubled(_ place: Int, of station: DrawnStation) -> Bool {
        let time = station.aired(place)
        return station.isTroubled(from: time, to: time)
    }

    /// Checks that a recording that joined in the past begins as far back as requested, or at the oldest frame kept.
    /// Returns how far back it began, in seconds.
    private func checkPast(_ use: DrawnUse, _ places: [Int], _ source: PlayedFrames.Source) -> Double {
        guard let newest = began[use.id]?.last.flatMap(source.place), let promised = promised[use.id] else { return 0 }
        let past = Double(places.count { $0 <= newest }) / Self.framesASecond
        let kept = Double(promised) / Self.framesASecond
        switch use.kind {
        case .recording: #expect(past == 0, "\(said(use))")
        case .pastRecording(let time):
            #expect(past > min(time, kept) - 0.1 && past < time + 0.1, "\(said(use)): \(past) s of \(kept)")
            if past > 2 { seen.past += 1 }
        case .airTimeRecording(let time):
            #expect(past < time + 1, "\(said(use)): \(past) s of \(kept)")
            let isCalm = !stations[use.programme].isTroubled(from: use.begin - time, to: use.begin)
            #expect(past > min(time, kept) - 1 || !isCalm, "\(said(use)): \(past) s of \(kept)")
        case .mount, .onDemand, .probe, .keeping: break
        }
        return past
    }

    private func checkListener(
        _ use: DrawnUse, _ source: PlayedFrames.Source, _ fallback: PlayedFrames.Source?, _ sent: [DrawnStation.Sent]
    ) throws {
        guard let listening = use.listening, let client = clients[use.id] else { return }
        let station = stations[use.programme]
        let end = use.kind == .mount ? use.end : listening.upperBound
        guard !station.troubles.isEmpty else {
            let stretch = source.broadcast.stretch(of: client.body, startingAt: source.starts)
            let heard = try #require(stretch, "\(said(use))")
            return expect(Array(heard), from: listening.lowerBound + 0.3, to: end - 1.4, of: use)
        }
        let played = PlayedFrames(client.body, of: source, fallback)
        #expect(played.foreign == nil, "\(said(use)): foreign at \(played.foreign ?? 0) of \(client.body.count)")
        let own = played.own
        for (one, next) in zip(own, own.dropFirst()) where next != one + 1 {
            #expect(next > one, "\(said(use)): \(next) after \(one)")
            guard next > one else { continue }
            // A listener resumes at the live edge after a gap, so some frames of the new connection are left out.
            let missing = one + 1..<next
            #expect(missing.contains { !use.mayHave($0, sent) }, "\(said(use)): \(missing) were to be had")
            #expect(missing.allSatisfy { isTroubled($0, of: station) }, "\(said(use)): \(missing)")
        }
        for stretch in played.stretches where stretch.kind == .fallback {
            #expect(zip(stretch.places, stretch.places.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(said(use))")
            seen.fallbacks += 1
        }
        seen.fillers += played.fillers
        if !station.isTroubled(from: listening.lowerBound - 10, to: end) {
            #expect(played.fillers == 0, "\(said(use)): \(played.fillers)")
        }
        expect(own, from: listening.lowerBound + 0.3, to: end - 1.4, of: use)
    }

    /// Expects that the received frames reach from one time to the other, unless a trouble was near these times.
    private func expect(_ heard: [Int], from: Double, to: Double, of use: DrawnUse) {
        let station = stations[use.programme]
        guard to > from else { return }
        guard let first = heard.first, let last = heard.last else {
            #expect(station.isTroubled(from: from, to: to), "\(said(use)) heard nothing")
            return
        }
        let (start, end) = (station.aired(first), station.aired(last))
        let isBegun = start <= from || station.isTroubled(from: from - 1, to: from + 1)
        let isComplete = end >= to || station.isTroubled(from: to - 3, to: to + 1)
        #expect(isBegun && isComplete, "\(said(use)): heard from \(start) to \(end)")
    }
}
