// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// What precedes the frames of a file: an ID3v2.4 tag padded to 2 KiB, followed for layer III by a reserved Info frame.
/// If the format has a head of its own, that head with the texts of the tag takes their place. The head is written when
/// the file is created, and once more, in place, when the file is complete.
struct SegmentHead {
    private var tag: ID3v2Tag?
    private var info: InfoFrameBuilder?
    private var formatHead: (any FileHead)?
    private let format: StreamFormat?
    private let firstHeader: MPEGFrameHeader?
    private var lastWord: UInt32 = 0
    private var lastBitRate = 0

    /// The empty head: for a pure file, and for Ogg, where the head consists of pages.
    static let none = SegmentHead(nil, tag: nil, firstHeader: nil)

    /// Creates the head of a file. `firstHeader`: the first frame of a layer III file, from which the Info frame takes
    /// its format.
    init(_ format: StreamFormat?, tag: ID3v2Tag?, firstHeader: MPEGFrameHeader?) {
        self.format = format
        self.tag = tag
        formatHead = format?.fileHead(comments: Self.comments(of: tag))
        self.firstHeader = firstHeader
        info = firstHeader.flatMap(InfoFrameBuilder.init(firstFrame:))
    }

    /// The present head; always of the same length.
    var bytes: [UInt8] {
        formatHead?.bytes ?? (tag?.encoded(size: Self.tagSize) ?? []) + (info?.frame() ?? [])
    }

    /// Counts frames added to the file.
    mutating func count(_ chunk: Chunk) {
        formatHead?.samples += chunk.samples
        guard info != nil else { return }
        chunk.slab.forEachFrame(chunk.frames) { frame in
            count(frame.count, frame.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        }
    }

    /// Counts a frame whose first four bytes, in memory order, are `word`. Looks up the bit rate only if the word
    /// differs from the previous frame's.
    private mutating func count(_ length: Int, _ word: UInt32) {
        if word != lastWord {
            lastWord = word
            lastBitRate = MPEGFrameHeader(word: UInt32(bigEndian: word))?.bitRate ?? 0
        }
        info?.add(frameLength: length, bitRate: lastBitRate)
    }

    /// Returns a head for part of the file's frames, in place of this head, which has counted all of them. Only the sum
    /// of the part's frame lengths is still known, so the seek table assumes equal lengths. `tag` is for a part that
    /// becomes its own file.
    func ofPart(frames: Int64, bytes: Int64, tag: ID3v2Tag? = nil) -> SegmentHead {
        var part = SegmentHead(format, tag: tag ?? self.tag, firstHeader: firstHeader)
        part.info?.begin(frames: frames, bytes: bytes, bitRate: firstHeader?.bitRate ?? 0)
        return part
    }

    /// Sets the file's duration (`TLEN`).
    mutating func setLength(milliseconds: Int64) {
        tag?.frames.append(.text(id: "TLEN", String(milliseconds)))
    }

    private static func comments(of tag: ID3v2Tag?) -> [(String, String)] {
        (tag?.frames ?? []).compactMap { frame in commentNames[frame.id].map { ($0, frame.value) } }
    }

    private static let commentNames = ["TIT2": "TITLE", "TPE1": "ARTIST", "TALB": "ALBUM", "TDRC": "DATE"]
    private static let tagSize = 2_048
}
