// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Checks the way from a station's segments to frames with times, and the judgement of these times. The first byte
/// chooses the container.
enum SegmentChecks {
    private static let most = Duration.seconds(30)

    static func complaint(about bytes: [UInt8]) -> String? {
        let isTransportStream = bytes.first.map { $0 % 2 == 0 } ?? true
        let length = isTransportStream ? 3_008 : 1_500
        var reader = isTransportStream ? HLSReader(TransportStreamDemuxer()) : HLSReader(PackedAudioDemuxer())
        var said = Said()
        let body = bytes.dropFirst()
        for (number, start) in stride(from: body.startIndex, to: body.endIndex, by: length).enumerated() {
            if number % 7 == 6 { reader.restart { said.take($0) } }
            do throws(DemuxProblem) {
                try reader.read(Array(body[start..<min(body.endIndex, start + length)])) { said.take($0) }
            } catch {
                break
            }
        }
        // A sample of one byte gets a header of seven.
        if said.bytes > 8 * bytes.count { return "\(said.bytes) bytes of frames come out of \(bytes.count)" }
        return said.complaint
    }

    private struct Said {
        private(set) var complaint: String?
        private(set) var bytes = 0
        private var seams = HLSSeams()
        private var rate = 1

        mutating func take(_ output: HLSReader.Output) {
            switch output {
            case .frames(let batch, let bytes):
                if batch.count == 0 { complaint = "a batch without frames" }
                if batch.range(of: 0..<batch.count) != 0..<bytes.count { complaint = "frames beside their bytes" }
                self.bytes += bytes.count
                for index in 0..<batch.count { seams.follow(Int64(batch[index].samples), at: rate) }
            case .part(.format(let format)): rate = format.sampleRate
            case .time(let time): judge(time)
            case .part, .skipped, .wrongChecksum: break
            }
        }

        private mutating func judge(_ time: MediaTime) {
            let verdict = seams.judge(
                time, frame: .milliseconds(24), isBroken: false, isNewLine: false, most: SegmentChecks.most)
            switch verdict {
            case .follows: break
            case .missing(let length):
                if let length, length <= .zero || length > SegmentChecks.most { complaint = "a gap of \(length)" }
            case .overlaps(let length):
                if length <= .zero || length > SegmentChecks.most { complaint = "an overlap of \(length)" }
            }
        }
    }
}
