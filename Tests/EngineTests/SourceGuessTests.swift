// SPDX-License-Identifier: MIT

import Testing

@testable import Engine

/// What addresses on a command line turn out to be.
struct SourceGuessTests {
    @Test func `what has no end is a station, and its addresses are mirrors`() {
        var guess = SourceGuess(["http://a/1", "http://a/2"])
        guess.followedPlaylist(4)
        #expect(guess.connected(isFinite: false) == .asItIs)
        #expect(guess.connected(isFinite: true) == .undecided)
        #expect(guess.isNoAudio() == .undecided)
    }

    @Test func `files among several addresses are items`() {
        var guess = SourceGuess(["http://a/1.mp3", "http://a/2.mp3"])
        #expect(guess.isNoAudio() == .undecided)
        #expect(guess.connected(isFinite: true) == .addressesAreItems)
    }

    @Test(arguments: [(0, SourceGuess.Verdict.asItIs), (1, .asItIs), (2, .isList)])
    func `a file behind a playlist of several is one item of it`(entries: Int, verdict: SourceGuess.Verdict) {
        var guess = SourceGuess(["http://a/list.m3u"])
        guess.followedPlaylist(entries)
        #expect(guess.connected(isFinite: true) == verdict)
    }

    @Test func `what is no audio may be a list, once`() {
        var guess = SourceGuess(["http://a/feed"])
        #expect(guess.isNoAudio() == .isList)
        #expect(guess.isNoAudio() == .undecided)
        #expect(guess.settled.isSettled)
    }
}
