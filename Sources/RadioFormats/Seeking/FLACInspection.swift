// SPDX-License-Identifier: MIT

/// Inspects the head of a FLAC file, block by block. Skips pictures without reading them.
struct FLACInspection: HeadInspection {
    private(set) var hasBegun = false
    private var info: FLACStreamInfo?
    private var blocks = 0

    private static let mostBlocks = 128

    func tail(isThorough: Bool) -> Int? { isThorough || info?.samples == 0 ? 64 << 10 : nil }

    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding {
        var place = 0
        if !hasBegun {
            guard bytes.starts(with: "fLaC".utf8) else { return .nothing }
            place = 4
        }
        hasBegun = true
        while blocks < Self.mostBlocks {
            guard place + FLACBlock.headerLength + FLACStreamInfo.length <= bytes.count || isEnd else {
                return .read(at: offset + Int64(place))
            }
            guard place + FLACBlock.headerLength <= bytes.count else { return .nothing }
            let header = bytes[place..<place + FLACBlock.headerLength]
            let (type, isLast) = (header[place] & ~FLACBlock.lastFlag, header[place] & FLACBlock.lastFlag != 0)
            let length = Int(header[place + 1]) << 16 | Int(header[place + 2]) << 8 | Int(header[place + 3])
            let content = place + FLACBlock.headerLength
            if type == 0, info == nil, content + FLACStreamInfo.length <= bytes.count {
                info = FLACStreamInfo(Array(bytes[content..<content + FLACStreamInfo.length])[...])
            }
            blocks += 1
            place = content + length
            if isLast { return facts(from: offset + Int64(place)).map { .found($0) } ?? .nothing }
            if place >= bytes.count { return .read(at: offset + Int64(place)) }
        }
        return .nothing
    }

    private func facts(from start: Int64) -> AudioFileFacts? {
        guard let info else { return nil }
        var facts = AudioFileFacts(container: .flac, codec: .flac, sampleRate: info.sampleRate)
        facts.audioStart = start
        facts.blockSize = info.smallestBlock == info.largestBlock ? info.largestBlock : 0
        facts.samples = info.samples > 0 ? info.samples : nil
        return facts
    }

    func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool {
        let last = FLACFrameCandidates.candidates(in: bytes, at: offset, facts).last
        guard let last else { return false }
        facts.lastSample = last.end
        facts.samples = facts.samples ?? last.end
        return true
    }
}
