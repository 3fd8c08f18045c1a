// SPDX-License-Identifier: MIT

import RadioFormats

/// Checks that apply to every demuxer and input: the split into pieces has no effect, and little comes out that was not
/// put in.
enum DemuxChecks {
    static func complaint(about bytes: [UInt8], by demuxer: some Demuxer) -> String? {
        let whole = Outcome(of: [bytes[...]], by: demuxer)
        let pieces = InputSplit.pieces(of: bytes)
        let split = Outcome(of: pieces, by: demuxer)
        if let complaint = whole.complaint ?? split.complaint { return complaint }
        // A sample of one byte gets a header of seven.
        if whole.audio.count > 8 * bytes.count { return "\(whole.audio.count) bytes come out of \(bytes.count)" }
        return whole == split ? nil : "cut into \(pieces.count) pieces it is another stream"
    }

    /// What must not depend on how the input is split.
    private struct Outcome: Equatable {
        private(set) var complaint: String?
        private(set) var audio: [UInt8] = []
        private var problem: DemuxProblem?
        private var containers: [Container] = []
        private var times: [MediaTime] = []
        private var tags: [[UInt8]] = []
        /// Where containers, times, tags and losses are in the audio.
        private var places: [Int] = []

        init(of pieces: [ArraySlice<UInt8>], by demuxer: some Demuxer) {
            var demuxer = demuxer
            do throws(DemuxProblem) {
                for piece in pieces {
                    let result = piece.withUnsafeBytes { bytes -> Result<Void, DemuxProblem> in
                        do throws(DemuxProblem) {
                            return .success(try demuxer.push(bytes) { take($0) })
                        } catch {
                            return .failure(error)
                        }
                    }
                    try result.get()
                }
                try demuxer.finish { take($0) }
            } catch {
                problem = error
            }
        }

        private mutating func take(_ output: Demuxed) {
            switch output {
            case .audio(let bytes):
                if bytes.isEmpty { complaint = "audio of no bytes" }
                if containers.isEmpty { complaint = "audio before any container" }
                audio += bytes
                return
            case .container(let container): containers.append(container)
            case .time(let time): times.append(time)
            case .tag(let bytes):
                if bytes.isEmpty { complaint = "a tag of no bytes" }
                tags.append(Array(bytes))
            case .lost: break
            }
            places.append(audio.count)
        }
    }
}
