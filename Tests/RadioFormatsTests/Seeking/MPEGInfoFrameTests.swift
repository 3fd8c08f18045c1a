// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

@Suite("Xing, Info and VBRI")
struct MPEGInfoFrameTests {
    private func put(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func putAll(_ fields: [(value: Int, count: Int)]) -> [UInt8] { fields.flatMap { put($0.value, $0.count) } }

    /// A frame of 417 bytes: 128 kbit/s, 44.1 kHz, stereo.
    private func frame(_ content: [UInt8], at place: Int = 36) -> [UInt8] {
        var frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        frame.replaceSubrange(
            place..<min(frame.count, place + content.count), with: content.prefix(frame.count - place))
        return frame
    }

    @Test("The fields of a Xing or Info frame are read, all of them or each alone")
    func fields() throws {
        let table = (0..<100).map { UInt8($0 * 256 / 100) }
        let lame = Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + put(576 << 12 | 1_234, 3)
        let whole = Array("Xing".utf8) + put(15, 4) + put(1_000, 4) + put(417_000, 4) + table + put(78, 4) + lame
        let info = try #require(MPEGInfoFrame(frame(whole)))
        #expect(info.kind == .xing && info.frames == 1_000 && info.bytes == 417_000 && info.places == table)
        #expect(info.delay == 576 && info.padding == 1_234 && info.samples == 1_152 && info.sampleRate == 44_100)
        let bytesOnly = try #require(MPEGInfoFrame(frame(Array("Info".utf8) + put(2, 4) + put(99, 4) + lame)))
        #expect(bytesOnly.kind == .info && bytesOnly.frames == nil && bytesOnly.bytes == 99 && bytesOnly.delay == 576)
        let none = try #require(MPEGInfoFrame(frame(Array("Info".utf8) + put(0, 4))))
        #expect(none.frames == nil && none.bytes == nil && none.places == [] && none.delay == nil)
        let backwards = try #require(MPEGInfoFrame(frame(Array("Xing".utf8) + put(4, 4) + table.reversed())))
        #expect(backwards.places == [])
    }

    @Test("A VBRI frame is read with entries of any size")
    func vbri() throws {
        for size in 1...4 {
            let runs = (0..<10).flatMap { put(100 + $0, size) }
            let head = putAll([(1, 2), (0, 2), (75, 2), (50_000, 4), (120, 4), (10, 2), (2, 2), (size, 2), (12, 2)])
            let info = try #require(MPEGInfoFrame(frame(Array("VBRI".utf8) + head + runs)))
            #expect(info.kind == .vbri && info.frames == 120 && info.bytes == 50_000 && info.framesPerRun == 12)
            #expect(info.runs == (100..<110).map { $0 * 2 })
        }
        let lie = putAll([(1, 2), (0, 4), (1, 4), (1, 4), (65_535, 2), (1, 2), (4, 2), (1, 2)])
        #expect(MPEGInfoFrame(frame(Array("VBRI".utf8) + lie))?.runs == [])
    }

    @Test("Audio is no Info frame, and a field that is cut off is ignored")
    func hostile() {
        #expect(MPEGInfoFrame(frame([])) == nil && MPEGInfoFrame([UInt8]()) == nil)
        let whole = frame(Array("Xing".utf8) + put(3, 4) + put(1_000, 4) + put(417_000, 4))
        for count in 0..<whole.count {
            let info = MPEGInfoFrame(Array(whole[..<count]))
            #expect(info?.frames == (count >= 48 ? 1_000 : nil) && info?.bytes == (count >= 52 ? 417_000 : nil))
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<5_000 {
            let candidate = ["Xing", "Info", "VBRI"].randomElement(using: &random) ?? ""
            let content = (0..<200).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = MPEGInfoFrame(frame(Array(candidate.utf8) + content, at: Int.random(in: 4...40, using: &random)))
        }
    }

    @Test("The gapless trim of LAME and of other encoders is applied")
    func trim() throws {
        let lame = Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + put(576 << 12 | 1_000, 3)
        let info = try #require(MPEGInfoFrame(frame(Array("Info".utf8) + put(1, 4) + put(100, 4) + lame)))
        let trim = try #require(GaplessTrim(info))
        #expect(trim.start == 1_105 && trim.length == 115_200 - 1_105 - 471)
        let padding = try #require(trim.padding(after: 576))
        #expect(padding.lowerBound == 114_200 && padding.upperBound == 115_200)
        #expect(trim.heard(of: 1_152, at: 0) == 1_105..<1_152 && trim.heard(of: 1_152, at: 1_152) == 0..<1_152)
        #expect(trim.heard(of: 1_152, at: 99 * 1_152) == 0..<1_152 - 471)
        #expect(trim.heard(of: 1_152, at: 100 * 1_152) == 0..<0 && trim.heard(of: 10, at: .max) == 0..<0)
        let short = try #require(MPEGInfoFrame(frame(Array("Info".utf8) + put(1, 4) + put(1, 4) + lame)))
        #expect(GaplessTrim(short)?.length == 0 && GaplessTrim(short)?.heard(of: 5_000, at: 0).isEmpty == true)
        let opus = GaplessTrim(start: 312, length: 48_000)
        #expect(opus.heard(of: 960, at: 47_900 + 312) == 0..<100)
        #expect(GaplessTrim().heard(of: 2_000, at: 5) == 0..<2_000)
        #expect(GaplessTrim(start: -5, length: -5).heard(of: 7, at: -3) == 0..<0)
    }
}
