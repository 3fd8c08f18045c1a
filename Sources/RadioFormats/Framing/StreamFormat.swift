// SPDX-License-Identifier: MIT

/// The plausible sample rates, for formats that can state any rate. At a rate of 1, a packet of two bytes would play
/// for an hour.
package let believedSampleRates = 1_000...1_000_000

/// What a decoder must know before the first frame, and what must not change inside one file.
///
/// Two frames can be in one file exactly if their formats are equal. Bit rate and joint stereo are not part of the
/// format: they may change with every frame.
package struct StreamFormat: Hashable, Sendable {
    /// Whether AAC has spectral band replication, which doubles the rate that players play (HE-AAC).
    package enum SBR: String, Sendable {
        case absent, possible, present
    }

    /// The MPEG standard that an MPEG audio or ADTS frame states.
    package enum MPEGVersion: String, Hashable, Sendable {
        case mpeg1 = "1"
        case mpeg2 = "2"
        case mpeg25 = "2.5"
        case mpeg4 = "4"
    }

    package var codec: Codec
    package var container: Container
    /// MPEG audio: 1, 2, 2.5; ADTS: 2 or 4; otherwise nil.
    package var mpegVersion: MPEGVersion?
    /// Samples per second, the unit of ``Frame/samples``: the header's rate; 48,000 for Opus.
    package var sampleRate: Int
    package var channels: Int
    /// AAC: the profile of the header (audio object type − 1, so 1 is LC); otherwise nil.
    package var profile: Int?
    /// What the first frames of AAC show of SBR. It is not compared: decoders find SBR in each frame.
    package var sbr = SBR.absent
    /// Ogg: the header packets that a decoder needs, in order; the comment packet has no comments, so that a new title
    /// is not a new format. FLAC outside Ogg: the STREAMINFO block, limited to what holds for any part of the stream.
    /// Empty for MPEG audio and ADTS.
    package var headerPackets: [[UInt8]]

    /// Creates a format in `container`, or else in the codec's usual container.
    package init(
        codec: Codec, in container: Container? = nil, mpegVersion: MPEGVersion? = nil, sampleRate: Int, channels: Int,
        profile: Int? = nil, headerPackets: [[UInt8]] = []
    ) {
        self.codec = codec
        self.container = container ?? codec.usualContainer
        self.mpegVersion = mpegVersion
        self.sampleRate = sampleRate
        self.channels = channels
        self.profile = profile
        self.headerPackets = headerPackets
    }

    /// The rate that players play: twice the header's for HE-AAC.
    package var playedSampleRate: Int { sbr == .present ? 2 * sampleRate : sampleRate }

    package static func == (one: StreamFormat, other: StreamFormat) -> Bool {
        (one.codec, one.container, one.mpegVersion) == (other.codec, other.container, other.mpegVersion)
            && (one.sampleRate, one.channels, one.profile) == (other.sampleRate, other.channels, other.profile)
            && one.headerPackets == other.headerPackets
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(codec)
        hasher.combine(container)
        hasher.combine(mpegVersion)
        hasher.combine(sampleRate)
        hasher.combine(channels)
        hasher.combine(profile)
        hasher.combine(headerPackets)
    }
}
