// SPDX-License-Identifier: MIT

/// The first pages of an Ogg file and its last ones.
struct OggInspection: HeadInspection {
    private(set) var hasBegun = false
    private var scanner = OggPageScanner()
    private var facts: AudioFileFacts?
    /// Of the first link.
    private var serials: Set<UInt32> = []
    private var firstAudio: Int64 = 0
    private var chunks = 0

    /// The first page of audio comes after the headers, which may hold a picture.
    private static let mostChunks = 4
    /// A page holds no more; a granule that begins beyond is that of a broadcast.
    private static let longestPage = 10

    var tail: Int? { OggPage.maximumLength }

    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding {
        hasBegun = true
        chunks += 1
        scanner.append(bytes)
        if isEnd { scanner.finish() }
        var isComplete = false
        while !isComplete, let finding = scanner.next() {
            guard case .page(let page, let range, let place) = finding else { continue }
            if page.isBegin { serials.insert(page.serial) }
            if facts == nil, page.isBegin {
                facts = Self.facts(ofFirstPacket: scanner.withBytes(range) { page.firstPacket(in: $0) }, page.serial)
            } else if let known = facts, page.serial == known.serial, let granule = page.position, granule > 0 {
                let isBroadcast = granule > Int64(known.sampleRate) * Int64(Self.longestPage)
                facts?.firstGranule = isBroadcast ? granule : 0
                firstAudio = place
                isComplete = true
            }
        }
        if !isComplete, !isEnd, chunks < Self.mostChunks { return .read(at: offset + Int64(bytes.count)) }
        return facts.map { .found($0) } ?? .nothing
    }

    private static func facts(ofFirstPacket packet: [UInt8], _ serial: UInt32) -> AudioFileFacts? {
        guard let mapping = oggMapping(identification: packet[...]) else { return nil }
        let format = mapping.format
        var facts = AudioFileFacts(container: .ogg, codec: format.codec, sampleRate: format.sampleRate)
        facts.serial = serial
        if format.codec == .opus, packet.count >= 12 { facts.preSkip = packet[...].littleEndian(at: 10, count: 2) }
        return facts
    }

    func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool {
        var scanner = OggPageScanner()
        scanner.append(bytes)
        scanner.finish()
        var last: Int64?
        while let finding = scanner.next() {
            guard case .page(let page, _, let place) = finding else { continue }
            // Pages that begin streams stand in front of a link's audio, and no other link should have their serials.
            let isLater = offset + place > firstAudio
            if isLater, page.isBegin || !serials.contains(page.serial) { facts.isChained = true }
            if page.serial == facts.serial, let granule = page.position { last = granule }
        }
        guard !facts.isChained else { return true }
        guard let last else { return false }
        let samples = last.addingSaturated(-facts.firstGranule).addingSaturated(-Int64(facts.preSkip))
        facts.samples = samples > 0 ? samples : nil
        return true
    }
}
