// SPDX-License-Identifier: MIT

/// Finds the frames of AAC in ADTS: MPEG-2 and MPEG-4, with and without checksum, one to four blocks per frame.
///
/// Holds at most about 32 KiB beyond the bytes of one ``append(_:)``, plus 64 KiB of a tag.
package struct ADTSFramer: SyncFraming {
    var core = SyncFramer<ADTSHeader>()

    package init() {}
}
