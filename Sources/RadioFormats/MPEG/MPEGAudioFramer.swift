// SPDX-License-Identifier: MIT

/// Finds the frames of MPEG audio: MPEG 1, 2 and 2.5, layers I to III, constant, variable and free bit rate.
///
/// A frame with a wrong checksum is returned like any other, but reported. Holds at most about 12 KiB beyond the bytes
/// of one ``append(_:)``, since a free-format frame has at most 4 KiB, plus 64 KiB of a tag.
package struct MPEGAudioFramer: SyncFraming {
    var core = SyncFramer<MPEGFrameShape>()

    package init() {}
}
