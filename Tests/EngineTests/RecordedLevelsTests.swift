// SPDX-License-Identifier: MIT

import Analysis
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import Engine

/// The levels beside recorded files, compared with what ffmpeg hears in these files.
struct RecordedLevelsTests {
    private static let scenes: [ReferenceProgramme.Scene] = [
        .music(7.3), .silence(2.2), .music(4), .hiss(2.6), .half(5), .tone(3.7), .music(40),
    ]

    /// Records a station with levels and with a watch. Returns the rig when the recording has ended.
    private static func record(
        _ encoding: ReferenceProgramme.Encoding, _ seconds: Double, _ scenes: [ReferenceProgramme.Scene] = scenes,
        away: [LiveScript.Absence] = [], watching longest: Duration = .seconds(20), late: Double = 0
    ) throws -> EngineRig {
        var parameters = ReferenceProgramme.Parameters(encoding, seed: 3)
        if case .opus = encoding { parameters.sampleRate = 48_000 }
        parameters.scenes = scenes
        let broadcast = try Broadcast(ReferenceProgramme(parameters))
        var script = LiveScript(.stream(LiveStream(broadcast, burst: 16_000)))
        (script.onAir, script.absences) = (.seconds(2), away)
        let rig = try EngineRig(["fip": script])
        if late > 0 {
            rig.begin("kept", KeepingSpec(depth: .seconds(60), heard: HeardFrames(of: broadcast)), of: "fip")
            rig.run(late)
        }
        rig.record("file", of: "fip") { spec in
            spec.companions = [.levels]
            if late > 0 { spec.start = .oldest }
            spec.settings.writesSidecars = true
            spec.settings.policy = .period(.seconds(10))
            spec.settings.name = try? NameTemplate(parsing: "%M-%S")
        }
        rig.begin("watch", WatchSpec(longest: longest), of: "fip")
        rig.run(seconds) { rig.reactor.pump { rig.registry.context.taps.areUpToDate } }
        for id in ["watch", "file", "kept"] { rig.end(id) }
        rig.run(2) { rig.reactor.pump { rig.registry.context.taps.areUpToDate } }
        return rig
    }

    private static func recorded(_ rig: EngineRig) -> (library: Library, segments: [LibrarySegment]) {
        let library = Library(path: rig.folder.file("file"), depth: 1)
        let names = rig.folder.names(in: "file").filter { name in
            ![".json", ".index", ".levels"].contains { name.hasSuffix($0) }
        }
        return (library, names.compactMap { library.segment(at: [$0]) })
    }

    @Test("B51: the seconds of the levels agree with the audio of each file, across files and gaps")
    func agree() throws {
        let rig = try Self.record(.mp3(128), 36, away: [.init(.seconds(13), for: .seconds(4), .gone)])
        let (library, segments) = Self.recorded(rig)
        #expect(segments.count >= 3)
        for segment in segments {
            let name = "\(segment.base).mp3"
            let levels = try #require(library.levels(of: segment), "\(name)")
            let truth = try SecondsOfSound(ofFile: rig.folder.file("file/\(name)"))
            #expect(abs(levels.seconds - truth.count) <= 1 && levels.pairs == 1)
            for second in 0..<min(levels.seconds, truth.count) {
                let (rms, peak) = truth.levels(of: second)
                let found = try #require(levels[second].first?.decibels, "\(name) \(second)")
                #expect(rms.lowerBound - 0.5...rms.upperBound + 0.5 ~= max(found.rms, -100), "\(name) \(second)")
                // Alone, the first frames of a file lack the data of earlier frames.
                guard second > 0 else { continue }
                #expect(peak.lowerBound - 0.8...peak.upperBound + 0.8 ~= found.peak, "\(name) \(second)")
            }
            // A file that is decoded alone has the same levels, but for the first frame, whose beginning it lacks.
            let gaps = Set(segment.sidecar?.gaps.map(\.position) ?? [])
            let file = try #require(try library.frames(of: segment))
            let made = try #require(LevelsRecipe().make(of: file, gaps: gaps))
            let alone = Levels(bytes: made)
            for second in stride(from: 1, to: levels.seconds - 1, by: 1) {
                let (one, other) = (levels[second].first?.decibels?.rms, alone?[second].first?.decibels?.rms)
                #expect(abs((one ?? 0) - (other ?? -200)) <= 0.5, "\(name) \(second)")
            }
            // What was made of the whole file is left alone, even if parts cannot be decoded; so is a foreign file.
            let path = "file/\(segment.base).levels"
            try rig.folder.write(path, Array(made.dropLast(4)) + [0, 0, 0, 0])
            #expect(!LevelsRecipe().isMissing(beside: segment, in: library))
            try rig.folder.write(path, Array(made.dropLast(10)))
            #expect(LevelsRecipe().isMissing(beside: segment, in: library) && library.mayPut(.levels, beside: segment))
            try rig.folder.write(path, [1, 2, 3])
            #expect(!library.mayPut(.levels, beside: segment))
        }
    }

    @Test("A recording that begins in the past has levels from its first frame on") func past() throws {
        let rig = try Self.record(.mp3(128), 14, late: 9)
        let (library, segments) = Self.recorded(rig)
        #expect(segments.compactMap(\.sidecar?.seconds).reduce(0, +) > 20)
        #expect(segments.allSatisfy { !LevelsRecipe().isMissing(beside: $0, in: library) })
    }

    @Test("The mark of a silence has its length when nobody watches any more") func marks() throws {
        let rig = try Self.record(.mp3(128), 30, [.music(4), .silence(90)], watching: .seconds(3))
        let marks = Self.recorded(rig).segments.flatMap { $0.sidecar?.stretches[.silence] ?? [] }
        #expect(marks.reduce(0) { $0 + $1.milliseconds } > 20_000, "\(marks)")
    }

    @Test(
        "Files of other codecs have levels, and decoding them alone gives the same",
        arguments: [ReferenceProgramme.Encoding.opus(96), .flac, .aac(96)])
    func codecs(_ encoding: ReferenceProgramme.Encoding) throws {
        #expect(CompanionRecipes.all.map(\.companion) == Companion.allCases.filter(\.isMade))
        let rig = try Self.record(encoding, 14)
        let (library, segments) = Self.recorded(rig)
        #expect(!segments.isEmpty)
        for segment in segments {
            let name = segment.base
            guard let seconds = segment.sidecar?.seconds, seconds > 3 else { continue }
            let levels = try #require(library.levels(of: segment), "\(name)")
            let file = try #require(try library.frames(of: segment))
            let alone = try #require(try FileLevels.measure(file).flatMap(Levels.init(bytes:)))
            #expect(abs(alone.seconds - levels.seconds) <= 1 && !LevelsRecipe().isMissing(beside: segment, in: library))
            for second in 1..<min(levels.seconds, alone.seconds) - 1 {
                let (one, other) = (levels[second].first?.decibels?.rms, alone[second].first?.decibels?.rms)
                #expect(abs((one ?? 0) - (other ?? -200)) <= 1, "\(name) \(second)")
            }
        }
    }
}
