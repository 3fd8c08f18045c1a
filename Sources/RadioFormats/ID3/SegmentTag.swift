// SPDX-License-Identifier: MIT

/// What an ID3v2 tag of a stream's segment says: the title, a picture, and the time of the first frame.
package struct SegmentTag: Hashable, Sendable {
    /// A picture in the tag itself: JPEG or PNG.
    package struct Picture: Hashable, Sendable {
        /// `image/jpeg` or `image/png`, as the bytes say, whatever the tag states.
        package let type: String
        package let bytes: [UInt8]

        fileprivate init?(_ bytes: some Collection<UInt8>) {
            guard bytes.count <= longestPicture else { return nil }
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                type = "image/jpeg"
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                type = "image/png"
            } else {
                return nil
            }
            self.bytes = Array(bytes)
        }
    }

    /// A private frame: its owner, such as a domain or an address, and the owner's data.
    package struct PrivateFrame: Hashable, Sendable {
        package let owner: String
        package let data: [UInt8]
    }

    /// A longer picture is left out.
    package static let longestPicture = 1 << 20
    private static let mostPrivateFrames = 16
    private static let timeOwner = "com.apple.streaming.transportStreamTimestamp"

    /// The texts of the tag.
    package let texts: ID3v2Tag
    /// The front cover, or else the first picture.
    package let picture: Picture?
    /// The address of a picture.
    package let pictureAddress: String?
    package let privateFrames: [PrivateFrame]

    /// Reads a tag; nil if the bytes do not begin with one. As with ``ID3v2Tag``, frames that are not whole are left
    /// out.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var frames = OtherFrames()
        guard let texts = ID3v2Tag(reading: bytes, others: { frames.add($0, $1) }) else { return nil }
        self.texts = texts
        picture = frames.picture
        privateFrames = frames.privateFrames
        let named = texts.frames.compactMap { frame -> (String, String)? in
            if case .userText(let name, let value) = frame { (name, value) } else { nil }
        }
        pictureAddress = (frames.links + named).lazy.compactMap(Self.pictureAddress).first
    }

    /// When the first frame of a segment of packed audio is presented: 33 bits of eight bytes (RFC 8216 §3.4).
    package var time: MediaTime? {
        guard let data = privateFrames.first(where: { $0.owner == Self.timeOwner })?.data, data.count >= 8 else {
            return nil
        }
        return .mpeg(data[..<8].reduce(0) { $0 << 8 | Int64($1) })
    }

    /// The address under a name such as `artworkURL_640x` or `track_cover_url`.
    private static func pictureAddress(_ name: String, _ value: String) -> String? {
        let name = name.lowercased()
        guard ["art", "cover", "image", "picture"].contains(where: { name.contains($0) }) else { return nil }
        return WebAddress.checked(Array(value.utf8))
    }

    /// The frames that have no text.
    private struct OtherFrames {
        var picture: Picture?
        private var isFrontCover = false
        var privateFrames: [PrivateFrame] = []
        /// Addresses with their names.
        var links: [(String, String)] = []

        mutating func add(_ id: String, _ content: [UInt8]) {
            switch id {
            case "PRIV" where privateFrames.count < mostPrivateFrames:
                guard let end = content.firstIndex(of: 0) else { return }
                let owner = String(decoding: content[..<end], as: UTF8.self)
                privateFrames.append(PrivateFrame(owner: owner, data: Array(content[(end + 1)...])))
            case "WXXX" where links.count < mostPrivateFrames:
                guard let encoding = content.first.flatMap(ID3TextEncoding.init) else { return }
                let (name, address) = encoding.first(in: content.dropFirst())
                links.append((name, ID3TextEncoding.latin1.first(in: address).text))
            case "APIC":
                guard let end = content.dropFirst().firstIndex(of: 0) else { return }
                addPicture(content, content[(end + 1)...])
            case "PIC" where content.count > 4: addPicture(content, content[4...])
            default: break
            }
        }

        /// `rest` is a byte that says what the picture shows, then a description, then the picture.
        private mutating func addPicture(_ content: [UInt8], _ rest: ArraySlice<UInt8>) {
            guard let encoding = ID3TextEncoding(rawValue: content[0]), let subject = rest.first,
                let new = Picture(encoding.first(in: rest.dropFirst()).rest)
            else { return }
            let isFront = subject == 3
            if picture == nil || isFront && !isFrontCover { (picture, isFrontCover) = (new, isFront) }
        }
    }
}
