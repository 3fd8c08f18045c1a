// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// Scans an audio file with a framer to find its contents, and how it can be completed. A value; bounded like its
/// framer.
struct AudioScan {
    /// Bytes to write at an offset of the file.
    struct Patch: Hashable {
        var offset: Int64
        var bytes: [UInt8]
    }

    /// Nil while it yields frames.
    private var framer: PartFramer?
    /// The file offset of the next read.
    private var offset: Int64 = 0
    /// Ogg: tracks the pages, because the last page must be marked as the last.
    private var fileEnd: OggFileEnd?
    private(set) var format: StreamFormat?
    private(set) var frames: Int64 = 0
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    private(set) var checksum = AudioChecksum()
    /// The index of the frames; nil for Ogg, which has none.
    private var index: FrameIndex?
    /// The end of the last whole frame.
    private(set) var endOfFrames: Int64 = 0
    /// The frame whose place is wanted, and the byte at which it begins, once it was read.
    private let wanted: Int64?
    private(set) var wantedByte: Int64?
    /// How many foreign bytes come before that frame: if there are any, frames may be damaged, which are not counted.
    private(set) var foreignBeforeWanted: Int64 = 0
    /// The lengths of the tags at the start, and of an Info frame after them.
    private(set) var tagLength: Int64 = 0
    private var infoLength: Int64 = 0
    private var info: InfoFrameBuilder?
    /// Bytes that are neither frames nor anything else that we put into files.
    private(set) var foreignBytes: Int64 = 0
    /// The length of what we put before the frames, and the offset of the end of the last byte that is not zero
    /// (`contentEnd`).
    private var headLength: Int64 = 0
    private var contentEnd: Int64 = 0
    private var appended: Int64 = 0
    /// Frames whose own checksum is wrong.
    private(set) var wrongChecksums: Int64 = 0

    /// Returns nil for an extension that no recording has. `wanted`: see ``wantedByte``.
    init?(fileExtension: String, finding wanted: Int64? = nil) {
        guard let container = Container(fileExtension: fileExtension) else { return nil }
        self.wanted = wanted
        framer = PartFramer(container)
        if container == .ogg { fileEnd = OggFileEnd() }
    }

    /// The completed file's size, and the bytes to write into it; nil if the file cannot be completed.
    var repair: (size: Int64, patches: [Patch])? {
        guard frames > 0 else { return nil }
        if fileEnd != nil {
            guard let page = fileEnd?.lastPage else { return nil }
            return (page.offset + Int64(page.bytes.count), [Patch(offset: page.offset, bytes: page.bytes)])
        }
        guard let info, Int64(info.length) == infoLength else { return (endOfFrames, []) }
        return (endOfFrames, [Patch(offset: tagLength, bytes: info.frame())])
    }

    /// What the file holds.
    var check: SegmentCheck {
        var check = SegmentCheck()
        (check.frames, check.bytes, check.samples) = (frames, bytes, samples)
        (check.wrongChecksums, check.foreignBytes) = (wrongChecksums, foreignBytes)
        check.checksum = checksum.value
        return check
    }

    /// Whether the file has neither a frame nor foreign content. Zeros do not count as content: after a power cut, some
    /// file systems (XFS, F2FS) return zeros for data that they had not written.
    var isBlank: Bool { frames == 0 && (foreignBytes == 0 || contentEnd <= headLength) }

    /// A sidecar describing the file's contents; nil if there is no frame.
    func sidecar(state: Sidecar.State) -> Sidecar? {
        guard var format, frames > 0 else { return nil }
        format.headerPackets = []
        var sidecar = Sidecar(format: format, at: nil, frames: frames, bytes: bytes, samples: samples, state: state)
        if state != .growing { sidecar.checksum = checksum.value }
        return sidecar
    }

    /// The index of a file that `sidecar` describes; nil if it has none.
    func index(_ sidecar: Sidecar) -> [UInt8]? {
        guard sidecar.isIndexed, var index else { return nil }
        return index.takeBytes { sidecar.airTime(ofFrame: $0) }
    }

    /// Scans a whole file.
    static func of(
        _ descriptor: CInt, fileExtension: String, finding wanted: Int64? = nil, _ system: any FileSystemCalls
    ) throws(SystemError) -> AudioScan? {
        guard var scan = AudioScan(fileExtension: fileExtension, finding: wanted) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 64)
        defer { buffer.deallocate() }
        while try scan.read(descriptor, buffer, system) {}
        return scan
    }

    private static let bufferSize = 256 << 10

    /// Reads and scans the next bytes of the file. Returns false at the end.
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
        return true
    }

    mutating func append(_ input: UnsafeRawBufferPointer) {
        if let last = input.lastIndex(where: { $0 != 0 }) { contentEnd = appended + Int64(last) + 1 }
        appended += Int64(input.count)
        fileEnd?.append(input)
        frame { $0.push(input, $1) }
    }

    mutating func finish() {
        fileEnd?.finish()
        frame { $0.finish($1) }
    }

    private mutating func frame(_ work: (inout PartFramer, (PartFramer.Output) -> Bool) -> Void) {
        guard var framer = framer.take() else { return }
        work(&framer) { output in
            take(output)
            return true
        }
        self.framer = framer
    }

    private mutating func take(_ output: PartFramer.Output) {
        switch output {
        case .frames(let batch, let bytes): batch.forEach(in: bytes) { count($0, $1) }
        case .part(.format(let format)):
            self.format = self.format ?? format
            if index == nil, fileEnd == nil { index = FrameIndex(sampleRate: format.sampleRate) }
        case .part: break
        case .skipped(let count, let reason): skip(Int64(count), reason)
        case .wrongChecksum: wrongChecksums += 1
        }
    }

    private mutating func count(_ facts: FrameFacts, _ frame: UnsafeRawBufferPointer) {
        let header = infoLength > 0 ? MPEGFrameHeader(frame.prefix(4)) : nil
        if frames == 0 { info = header.flatMap(InfoFrameBuilder.init(firstFrame:)) }
        checksum.take(frame)
        if frames == wanted { wantedByte = facts.offset }
        if let wanted, frames <= wanted { foreignBeforeWanted = foreignBytes }
        index?.note(frame: frames, byte: facts.offset, samples: samples, frame)
        frames += 1
        bytes += Int64(frame.count)
        samples = samples.addingSaturated(Int64(facts.samples))
        endOfFrames = facts.offset + Int64(frame.count)
        info?.add(frameLength: frame.count, bitRate: header?.bitRate ?? 0)
    }

    private mutating func skip(_ count: Int64, _ reason: SkipReason) {
        if frames == 0, foreignBytes == 0, [.tag, .infoFrame, .container, .attachment].contains(reason) {
            headLength += count
        }
        switch reason {
        case .tag where frames == 0: tagLength += count
        case .infoFrame where frames == 0: infoLength += count
        case .tag, .infoFrame, .container, .attachment, .truncated: break
        case .junk, .damaged: foreignBytes += count
        }
    }
}
