// SPDX-License-Identifier: MIT

/// The kinds of playlist that can be read. A playlist of a radio station lists addresses of one programme.
package enum PlaylistKind: String, Hashable, Sendable, CaseIterable {
    /// `[playlist]`, `File1=…`.
    case pls
    /// One address per line, `#EXTINF` titles; also in UTF-8 (M3U8). Not HLS, which only looks similar.
    case m3u
    /// Xiph's XML: `<location>` in `<track>`.
    case xspf
    /// Windows Media's `<ref href="…"/>` in `<entry>`, which is not quite XML; also `[Reference]`, `Ref1=…`.
    case asx
}
