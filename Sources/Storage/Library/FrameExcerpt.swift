// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Copies wanted frames of an MPEG or ADTS file, and nothing that lies between them. A value; bounded like its framer.
struct FrameExcerpt {
    private(set) var frames: Int64 = 0
    /// The bytes of the copied frames.
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    /// The number of wanted frames that the sidecar counts, but that the file has lost.
    var missing: Int64 { selection.missing }

    private var framer: any Framer
    private var selection: FrameSelection
    /// The mean length of a frame in bytes, to estimate how many frames the damaged bytes replaced.
    private let frameLength: Int64
    /// The number of bytes since the last frame that belong to no frame.
    private var damaged: Int64 = 0

    init(_ selection: FrameSelection, of sidecar: Sidecar) {
        self.selection = selection
        framer = sidecar.format.container.makeFramer()
        frameLength = max(1, sidecar.bytes / max(1, sidecar.frames))
    }

    /// Takes the next bytes of the file, and appends wanted frames to `output`. Returns whether more bytes are wanted.
    mutating func append(_ input: [UInt8], into output: inout [UInt8]) -> Bool {
        input.withUnsafeBytes { framer.append($0) }
        drain(into: &output)
        return !selection.isOver
    }

    /// Ends the file.
    mutating func finish(into output: inout [UInt8]) {
        framer.finish()
        drain(into: &output)
        selection.end()
    }

    private mutating func drain(into output: inout [UInt8]) {
        while !selection.isOver, let event = framer.next() {
            switch event {
            case .frame(let frame): take(frame, into: &output)
            case .skipped(let count, .junk), .skipped(let count, .damaged): damaged += Int64(count)
            case .skipped, .format, .title, .discontinuity, .missing, .wrongChecksum: break
            }
        }
    }

    private mutating func take(_ frame: Frame, into output: inout [UInt8]) {
        selection.lose((damaged + frameLength / 2) / frameLength)
        damaged = 0
        guard selection.takeNext() else { return }
        framer.withBytes(of: frame) { output.append(contentsOf: $0) }
        frames += 1
        bytes += Int64(frame.range.count)
        samples = samples.addingSaturated(Int64(frame.samples))
    }
}
