// SPDX-License-Identifier: MIT

/// ADTS frames of AAC-LC, 44.1 kHz stereo, with a payload that no decoder will see.
func silentADTS(frames: Int) -> [UInt8] {
    let payload: [UInt8] = [0x21, 0x10, 0x05, 0x20]
    let length = 7 + payload.count
    let header: [UInt8] = [0xff, 0xf1, 0x50, 0x80, UInt8(length >> 3), UInt8(length & 7) << 5 | 0x1f, 0xfc]
    return (0..<frames).flatMap { _ in header + payload }
}

/// An ID3v2.4 tag of these frames.
func id3(_ frames: [(name: String, content: [UInt8])]) -> [UInt8] {
    func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }
    var body: [UInt8] = []
    for frame in frames {
        body += Array(frame.name.utf8) + synchsafe(frame.content.count) + [0, 0] + frame.content
    }
    return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
}
