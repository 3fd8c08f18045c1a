// SPDX-License-Identifier: MIT

/// Finds probable frames in a FLAC file by their headers alone.
enum FLACFrameCandidates {
    struct Candidate {
        var offset: Int64
        /// The number of the frame's first sample, and the number of the sample after the frame.
        var sample: Int64
        var end: Int64
    }

    /// Headers with a valid checksum and the file's sample rate, each continuing where the previous frame ends.
    static func candidates(in bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: AudioFileFacts) -> [Candidate] {
        var candidates: [Candidate] = []
        var place = 0
        while let found = bytes[place...].firstIndex(of: 0xFF) {
            place = found + 1
            let rest = UnsafeRawBufferPointer(
                rebasing: bytes[found..<min(bytes.count, found + FLACFrameHeader.longest)])
            guard FLACFrameHeader.isSync(rest), let header = FLACFrameHeader(rest),
                header.sampleRate ?? facts.sampleRate == facts.sampleRate, header.samples > 0,
                let sample = sample(of: header, facts)
            else { continue }
            let candidate = Candidate(
                offset: offset + Int64(found), sample: sample, end: sample.addingSaturated(Int64(header.samples)))
            // A false header inside a frame rarely has the expected sample number, so a header with another number is
            // skipped. But if there is only one earlier candidate, that candidate may be the false one.
            if let last = candidates.last, candidate.sample != last.end {
                guard candidates.count == 1, candidate.sample < last.sample || candidate.sample > last.end else {
                    continue
                }
                candidates = []
            }
            candidates.append(candidate)
        }
        return candidates
    }

    private static func sample(of header: FLACFrameHeader, _ facts: AudioFileFacts) -> Int64? {
        guard !header.isVariable else { return header.number }
        let block = facts.blockSize > 0 ? facts.blockSize : header.samples
        let sample = header.number.multipliedSaturated(by: Int64(block))
        return facts.samples.map { sample < $0 } ?? true ? sample : nil
    }
}
