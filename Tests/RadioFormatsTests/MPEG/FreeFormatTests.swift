// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Free format, and frames that only look like it.
struct FreeFormatTests {
    /// False headers contained in equal frames: headers of free format, and of formats whose frames are as long as
    /// several of these frames.
    private static let decoys: [UInt32] = [
        0xfffb_0064, 0xfff3_0404, 0xffe3_0800, 0xfffd_00c4, 0xffff_0064, 0xfffa_00c4,
    ]

    @Test(
        "B11: Free-format headers inside equal frames are not accepted, wherever the stream is joined",
        arguments: [MPEGFrameHeader.Layer.one, .two, .three], [StreamFormat.MPEGVersion.mpeg1, .mpeg2, .mpeg25])
    func falseHeaders(_ layer: MPEGFrameHeader.Layer, _ version: StreamFormat.MPEGVersion) {
        var source = SyntheticMPEG(seed: 60)
        (source.layer, source.version, source.sampleRateIndex, source.bitRateIndex) = (layer, version, 1, 8)
        for mode in [MPEGFrameHeader.Mode.stereo, .jointStereo, .dualChannel, .mono] {
            source.mode = mode
            source.payload = .silent
            var frame = source.frame()
            for (number, decoy) in Self.decoys.enumerated() {
                let place = 60 + number * 11
                frame.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: decoy.bigEndian) { Array($0) })
            }
            let bytes = (0..<40).flatMap { _ in frame }
            for offset in 1...frame.count {
                let said = FramerTranscript(of: [bytes[offset...]], by: MPEGAudioFramer())
                #expect(said.hasFrames(ArraySlice(repeating: frame, count: 39)), "\(mode), at \(offset)")
            }
            // This also holds in mid-stream: if bytes are lost in the middle of a frame, the rest of that frame is
            // searched.
            for lost in stride(from: 1, to: frame.count, by: 7) {
                var torn = bytes
                torn.removeSubrange(10 * frame.count + 20..<10 * frame.count + 20 + lost)
                let said = FramerTranscript(of: [torn[...]], by: MPEGAudioFramer())
                #expect(
                    said.frames.allSatisfy { $0.bytes == frame } && said.frames.count >= 37, "\(mode), lost \(lost)")
            }
        }
    }

    @Test(
        "B11: Free format that changes between stereo and joint stereo loses no frame, joined at any byte",
        arguments: [MPEGFrameHeader.Layer.one, .two, .three])
    func modeChanges(_ layer: MPEGFrameHeader.Layer) {
        var source = SyntheticMPEG(seed: 61)
        (source.layer, source.bitRateIndex, source.freeLength) = (layer, 0, 640)
        let frames = (0..<40).map { number in
            source.mode = [.stereo, .jointStereo, .jointStereo, .stereo, .dualChannel][number % 5]
            return source.frame()
        }
        let bytes = frames.flatMap { $0 }
        expectSameEvents(bytes, twoPieceSplits: 8, randomSplits: 4)
        for offset in 0...frames[0].count + frames[1].count {
            let said = FramerTranscript(of: [bytes[offset...]], by: MPEGAudioFramer())
            let first = offset == 0 ? 0 : offset <= frames[0].count ? 1 : 2
            #expect(said.hasFrames(frames[first...]), "joined at \(offset)")
        }
    }

    @Test("Free format whose frames are all equal is framed") func equalFrames() {
        for layer in [MPEGFrameHeader.Layer.one, .two, .three] {
            var source = SyntheticMPEG(seed: 62)
            (source.layer, source.bitRateIndex, source.freeLength, source.payload) = (layer, 0, 520, .random)
            var frame = source.frame()
            while frame.count != 520 { frame = source.frame() }
            let bytes = (0..<30).flatMap { _ in frame }
            for offset in 0...frame.count {
                let said = FramerTranscript(of: [bytes[offset...]], by: MPEGAudioFramer())
                #expect(said.frames.allSatisfy { $0.bytes == frame } && said.frames.count >= 29, "joined at \(offset)")
            }
        }
    }
}
