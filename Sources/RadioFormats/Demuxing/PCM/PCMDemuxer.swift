// SPDX-License-Identifier: MIT

/// Turns the samples of WAV and AIFF files into FLAC that is not compressed, so that PCM needs neither a framer nor a
/// decoder of its own.
///
/// Whole numbers of up to 24 bits stay as they are; longer ones and floating point are rounded to 24 bits, which is
/// what decoders yield.
package struct PCMDemuxer: Demuxer {
    private var head = PCMHead()
    private var layout: PCMLayout?
    /// The bytes of samples that have not come yet.
    private var left: Int64 = .max
    /// Samples of an incomplete frame.
    private var held: [UInt8] = []
    /// The number of the next frame.
    private var number: Int64 = 0
    private var output: [UInt8] = []
    private var hasBegun = false

    package init() {}

    /// Takes the samples of the rest of a file, whose first byte is that of a frame.
    init(_ start: PCMStart) {
        (layout, number) = (start.layout, start.frame)
        guard let length = start.layout.length else { return }
        let before = start.frame.multipliedSaturated(by: Int64(start.layout.stride * PCMLayout.block))
        left = max(0, length - before)
    }

    package mutating func push(
        _ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void
    ) throws(DemuxProblem) {
        var rest = bytes[...]
        if layout == nil {
            rest = rest.dropFirst(try head.take(bytes))
            guard let found = head.layout else { return }
            (layout, left) = (found, found.length ?? .max)
        }
        guard let layout else { return }
        rest = rest.prefix(Int(clamping: left))
        left -= Int64(rest.count)
        held.append(contentsOf: rest)
        try encode(layout, take)
    }

    package mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        guard let layout else { throw .noAudio }
        left = 0
        try encode(layout, take)
        guard hasBegun else { throw .noAudio }
    }

    /// Encodes the whole frames that are held, and at the end the rest.
    private mutating func encode(_ layout: PCMLayout, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        let size = layout.stride * PCMLayout.block
        var place = 0
        while held.count - place >= size || left == 0 && held.count - place >= layout.stride {
            if !hasBegun {
                hasBegun = true
                take(.container(.flac))
                let samples = layout.length.map { $0 / Int64(layout.stride) } ?? 0
                layout.head(samples: samples).withUnsafeBytes { take(.audio($0)) }
            }
            let count = min(size, held.count - place) / layout.stride
            held.withUnsafeBytes { bytes in
                let samples = UnsafeRawBufferPointer(rebasing: bytes[place..<place + count * layout.stride])
                FLACVerbatim.encode(samples, layout, number: number, count: count, to: &output)
            }
            output.withUnsafeBytes { take(.audio($0)) }
            output.removeAll(keepingCapacity: true)
            (place, number) = (place + count * layout.stride, number + 1)
        }
        held.removeFirst(place)
    }
}
