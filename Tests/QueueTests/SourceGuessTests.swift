// SPDX-License-Identifier: MIT

import Engine
import Testing

@testable import Queue

/// What addresses on a command line turn out to be.
struct SourceGuessTests {
    @Test("A source without an end is a station, and its addresses are mirrors") func station() {
        var guess = SourceGuess(["http://a/1", "http://a/2"])
        guess.followedPlaylist(4)
        #expect(guess.connected(isFinite: false) == .asItIs)
        #expect(guess.connected(isFinite: true) == .undecided && guess.isNoAudio() == .undecided)
    }

    @Test("Files among several addresses are items") func files() {
        var guess = SourceGuess(["http://a/1.mp3", "http://a/2.mp3"])
        #expect(guess.isNoAudio() == .undecided && guess.connected(isFinite: true) == .addressesAreItems)
    }

    @Test(
        "A file behind a playlist of several entries is one item of it",
        arguments: [(0, SourceGuess.Verdict.asItIs), (1, .asItIs), (2, .isList)])
    func playlistItem(entries: Int, verdict: SourceGuess.Verdict) {
        var guess = SourceGuess(["http://a/list.m3u"])
        guess.followedPlaylist(entries)
        #expect(guess.connected(isFinite: true) == verdict)
    }

    @Test("A source that is not audio may be a list, once") func list() {
        var guess = SourceGuess(["http://a/feed"])
        #expect(guess.isNoAudio() == .isList)
        #expect(guess.isNoAudio() == .undecided && guess.isSettled)
    }
}
