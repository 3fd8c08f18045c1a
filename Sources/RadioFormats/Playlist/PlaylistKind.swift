// SPDX-License-Identifier: MIT

/// The kinds of playlist that can be read. A playlist of a radio station lists addresses of one programme.
package enum PlaylistKind: String, Hashable, Sendable, CaseIterable {
    /// PLS: `[playlist]`, and lines such as `File1=…`.
    case pls
    /// M3U: one address per line, with titles in `#EXTINF` lines; also in UTF-8 (M3U8). HLS only looks similar, and is
    /// not included.
    case m3u
    /// XSPF, Xiph's XML: `<location>` in `<track>`.
    case xspf
    /// ASX, a format of Windows Media that is not quite XML: `<ref href="…"/>` in `<entry>`. Also lists of
    /// `[Reference]` and `Ref1=…`.
    case asx
    /// Other markup with addresses: SMIL, WPL, OPML and links of QuickTime.
    case markup
}
