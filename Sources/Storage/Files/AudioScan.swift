// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Reads an audio file through a framer, and learns what is in it and how it can be completed. A value; bounded like
/// its framer.
struct AudioScan {
    /// Bytes to be written at a place in the file.
    struct Patch: Hashable {
        var offset: Int64
        var bytes: [UInt8]
    }

    private var framer: any Framer
    /// Where the next bytes of the file are read.
    private var offset: Int64 = 0
    /// Ogg: the pages, whose last one must be closed.
    private var fileEnd: OggFileEnd?
    private(set) var format: StreamFormat?
    private(set) var frames: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    /// Where the last whole frame ends.
    private var endOfFrames: Int64 = 0
    /// Bytes of tags, and of an Info frame after them, at the beginning.
    private var tagLength: Int64 = 0
    private var infoLength: Int64 = 0
    private var info: InfoFrameBuilder?
    /// Bytes that are neither frames nor anything that we put into files.
    private var foreignBytes: Int64 = 0

    /// The frames that are asked for, and the bytes that they take, as far as they were found. Not for Ogg, whose
    /// packets are nothing without their pages.
    private let wanted: Range<Int64>?
    private(set) var bytesWanted: Range<Int64>?

    /// Nil for an extension that no recording has.
    init?(fileExtension: String, wanted: Range<Int64>? = nil) {
        guard let container = Container(fileExtension: fileExtension) else { return nil }
        framer = container.makeFramer()
        if container == .ogg { fileEnd = OggFileEnd() }
        self.wanted = container == .ogg ? nil : wanted
    }

    /// Where the file ends when it is complete, and what is to be written into it.
    var repair: (size: Int64, patches: [Patch])? {
        guard frames > 0 else { return nil }
        if fileEnd != nil {
            guard let page = fileEnd?.lastPage else { return nil }
            return (page.offset + Int64(page.bytes.count), [Patch(offset: page.offset, bytes: page.bytes)])
        }
        guard let info, Int64(info.length) == infoLength else { return (endOfFrames, []) }
        return (endOfFrames, [Patch(offset: tagLength, bytes: info.frame())])
    }

    /// Whether the file holds no frame and nothing of somebody else.
    var isBlank: Bool { frames == 0 && foreignBytes == 0 }

    /// A sidecar that says what the file holds; nil where that is no frame.
    func sidecar(state: Sidecar.State) -> Sidecar? {
        guard var format, frames > 0 else { return nil }
        format.headerPackets = []
        return Sidecar(format: format, at: nil, frames: frames, bytes: bytes, samples: samples, state: state)
    }

    /// Reads on; returns false at the end of the file, and once the frames are found that are asked for.
    mutating func read(
        _ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ system: any FileSystemCalls
    ) throws(SystemError) -> Bool {
        let count = try system.read(descriptor, into: buffer, at: offset)
        offset += Int64(count)
        guard count > 0 else {
            finish()
            return false
        }
        append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return wanted.map { frames < $0.upperBound } ?? true
    }

    mutating func append(_ input: UnsafeRawBufferPointer) {
        framer.append(input)
        fileEnd?.append(input)
        drain()
    }

    mutating func finish() {
        framer.finish()
        fileEnd?.finish()
        drain()
    }

    private mutating func drain() {
        while let event = framer.next() {
            switch event {
            case .format(let format): self.format = self.format ?? format
            case .frame(let frame): count(frame)
            case .skipped(let count, let reason): skip(Int64(count), reason)
            case .title, .discontinuity, .missing, .wrongChecksum: break
            }
        }
    }

    private mutating func count(_ frame: Frame) {
        if frames == 0, infoLength > 0 {
            info = framer.withBytes(of: frame) { MPEGFrameHeader($0.prefix(4)) }.flatMap(
                InfoFrameBuilder.init(firstFrame:))
        }
        frames += 1
        bytes += Int64(frame.range.count)
        samples = samples.addingSaturated(Int64(frame.samples))
        endOfFrames = frame.offset + Int64(frame.range.count)
        if wanted?.contains(frames - 1) == true {
            bytesWanted = (bytesWanted?.lowerBound ?? frame.offset)..<endOfFrames
        }
        info?.add(frameLength: frame.range.count, bitRate: frame.bitRate)
    }

    private mutating func skip(_ count: Int64, _ reason: SkipReason) {
        switch reason {
        case .tag where frames == 0: tagLength += count
        case .infoFrame where frames == 0: infoLength += count
        case .tag, .infoFrame, .container, .truncated: break
        case .junk, .damaged: foreignBytes += count
        }
    }
}
