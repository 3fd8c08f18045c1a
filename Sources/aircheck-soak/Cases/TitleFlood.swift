// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport

/// Checks that memory does not grow after the first hour if there is a new title every 100 ms for 24 hours of audio.
struct TitleFlood: SoakCase {
    let name = "titles"
    let hazard = "C4"

    func run(_ plan: SoakPlan) throws -> String {
        let programme = try ReferenceProgramme(.init(.mp3(128), sampleRate: 48_000, seconds: 60))
        var demuxer = ICYDemuxer(interval: 1600)
        var framer = MPEGAudioFramer()
        var frames = 0
        var titles = 0
        var place = 0
        var afterFirstHour = 0
        let perHour = 36_000
        for number in 0..<24 * perHour {
            if place + 1600 > programme.bytes.count { place = 0 }
            let piece = programme.bytes[place..<place + 1600] + ICYMetadata.encoded(title: "Artist - Title \(number)")
            place += 1600
            piece.withUnsafeBytes { input in
                var offset = 0
                while let event = demuxer.next(in: input, at: &offset) {
                    switch event {
                    case .audio(let range): framer.append(UnsafeRawBufferPointer(rebasing: input[range]))
                    case .metadata(let block):
                        let raw = ICYMetadata(block.bytes).title ?? []
                        titles += CharsetDecoder().title(raw) == "Artist - Title \(number)" ? 1 : 0
                    }
                    while let event = framer.next() { if case .frame = event { frames += 1 } }
                }
            }
            if number == perHour { afterFirstHour = try ProcessFigures.residentKiB() }
        }
        let growth = try ProcessFigures.residentKiB() - afterFirstHour
        try Harm.unless(titles == 24 * perHour, "\(titles) of \(24 * perHour) titles")
        try Harm.unless(growth < 1024, "memory grew by \(growth) KiB after the first hour")
        return "\(titles) titles, \(frames) frames, memory grew by \(growth) KiB after the first hour"
    }
}
