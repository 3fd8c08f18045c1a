// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The addresses of a programme: the user's, and those to which playlists among them led.
///
/// A value. The list is never empty, so every index, taken modulo ``count``, names a mirror.
struct MirrorList {
    struct Mirror: Hashable {
        var url: String
        /// Whether the mirror's host may have a private address. An external playlist must not reach into a private
        /// network.
        var allowsPrivateAddress = true
        /// How a playlist, or the address, says that the address must be requested.
        var options = EntryOptions()
        /// The playlists that led to this mirror, starting with the user's address.
        var via: [String] = []
    }

    private let configured: [Mirror]
    private var mirrors: [Mirror]
    /// When a playlist was last followed.
    private var followedAt: MonotonicInstant?
    /// The redacted addresses of the first playlists followed.
    private(set) var playlists: [String] = []

    private static let mostMirrors = 100
    private static let deepestPlaylist = 3
    private static let mostPlaylists = 20

    init(_ urls: [String], options: [String: EntryOptions] = [:], allowsPrivateAddress: Bool = true) {
        let urls = urls.isEmpty ? [""] : urls
        configured = urls.map {
            Mirror(url: $0, allowsPrivateAddress: allowsPrivateAddress, options: options[$0] ?? EntryOptions())
        }
        mirrors = configured
    }

    var count: Int { mirrors.count }

    /// Whether any address meets the condition.
    func contains(where isWanted: (String) -> Bool) -> Bool { mirrors.contains { isWanted($0.url) } }

    subscript(index: Int) -> Mirror { mirrors[index % mirrors.count] }

    /// Whether the user named this server (scheme, host and port). Only such servers get the user's header fields.
    func isConfigured(originOf url: String) -> Bool {
        let origin = Self.origin(url)
        return configured.contains { Self.origin($0.url) == origin }
    }

    private static func origin(_ url: String) -> String {
        // Without a scheme, it is http, as in curl.
        let reference = URLReference(url.contains("://") ? url : "http://" + url)
        let server = (reference.authority ?? "").split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let standardPort = reference.scheme == "https" ? ":443" : ":80"
        let host = server.hasSuffix(standardPort) ? server.dropLast(standardPort.count) : server
        return (reference.scheme ?? "") + "://" + host.lowercased()
    }

    /// Replaces a playlist's address by the entries of the playlist. Returns false if the entries lead nowhere, because
    /// playlists lead in a circle or are nested too deeply.
    mutating func follow(
        playlistAt index: Int, entries: [Playlist.Entry], isPeerPrivate: Bool, at now: MonotonicInstant
    ) -> Bool {
        let index = index % mirrors.count
        let playlist = mirrors[index]
        let via = playlist.via + [playlist.url]
        let room = Self.mostMirrors - mirrors.count + 1
        let found = entries.filter { !via.contains($0.url) }.prefix(max(1, room))
        guard via.count <= Self.deepestPlaylist, !found.isEmpty else { return false }
        let isNearby = playlist.allowsPrivateAddress && isPeerPrivate
        mirrors.replaceSubrange(
            index...index,
            with: found.map { Mirror(url: $0.url, allowsPrivateAddress: isNearby, options: $0.options, via: via) })
        followedAt = now
        return true
    }

    /// Which entry of a list the address is, without those that `isLeftOut` names; nil if it comes from no list, or
    /// from a list with one entry. The entries of nested lists count as entries of the list that the user named.
    func entry(_ index: Int, isLeftOut: (String) -> Bool = { _ in false }) -> StationInfo.Entry? {
        guard let list = self[index].via.first else { return nil }
        let entries = mirrors.indices.filter { mirrors[$0].via.first == list && !isLeftOut(mirrors[$0].url) }
        let number = entries.firstIndex(of: index % mirrors.count).map { $0 + 1 }
        return entries.count > 1 ? number.map { StationInfo.Entry(number: $0, count: entries.count) } : nil
    }

    /// The index of an address; nil if it is not in the list now.
    func index(of url: String) -> Int? { mirrors.firstIndex { $0.url == url } }

    /// The playlists that led to an address; empty for the user's, and for one that is not in the list now.
    func playlists(before url: String) -> [String] { index(of: url).map { mirrors[$0].via } ?? [] }

    /// Adds a playlist that was followed to ``playlists``. Returns true if it is new.
    mutating func note(playlist url: String) -> Bool {
        guard !playlists.contains(url), playlists.count < Self.mostPlaylists else { return false }
        playlists.append(url)
        return true
    }

    /// Goes back to the user's addresses if playlists were followed: none of their entries works, and by now the
    /// playlists may have other entries. Waits at least ten seconds, or a second per address, because another round of
    /// attempts follows. Returns nil if nothing has changed. Otherwise it returns the former index of each address,
    /// which is nil for an address that was not in the list before.
    mutating func forgetPlaylists(_ now: MonotonicInstant) -> [Int?]? {
        guard let followedAt, now - followedAt >= max(.seconds(10), .seconds(mirrors.count)) else { return nil }
        let old = configured.map { mirrors.firstIndex(of: $0) }
        mirrors = configured
        self.followedAt = nil
        return old
    }
}
