// SPDX-License-Identifier: MIT

package import RadioCore

/// An event worth a line in the log or on the terminal. The value contains no wording.
package enum StationNotice: Sendable, Hashable {
    /// A connection is being opened. The URL contains no credentials.
    case connecting(url: String, attempt: Int)
    /// A server has sent a response of any kind. This notice comes before the other notices of the response.
    case answered(ServerAnswer)
    /// The response may carry audio.
    case connected(StationInfo)
    /// The first frame has arrived; `again` is true if an interrupted file resumes. When a live station returns after
    /// an outage, a splice or a gap is reported instead.
    case live(again: Bool)
    /// The address led to a playlist with `entries` addresses, and `leftOut` more that are not used.
    case followedPlaylist(url: String, entries: Int, leftOut: Int, ignoredOptions: [String])
    /// A second connection is being opened because the first has stalled, or has not brought audio yet.
    case hedging(url: String, hasStalled: Bool)
    /// The second connection has failed. The first is still open and may recover.
    case hedgeFailed(Failure)
    /// A new connection continues the audio of the old connection without loss.
    case spliced(Splice)
    /// Audio was lost.
    case gap(Gap)
    /// The preceding audio turned out to be foreign or to be a repetition.
    case stretch(Stretch)
    /// The programme changes from one station to another one of the same list, or at the same address.
    case changed(from: StationInfo, to: StationInfo)
    /// A server sends another name than before, `from`, for what counts as the same station: because the list or the
    /// user says so, or because the frames are equal. Said once for each name.
    case renamed(StationInfo, from: String)
    /// This entry of the list is the station from now on. `insteadOf`: the entry that was the station, if the list has
    /// it no more, or if another one that comes before it played first in this run.
    case chose(ListChoice, insteadOf: ListChoice?)
    /// A better entry of the list is tried again, beside the one that plays.
    case returning(url: String)
    /// A connection failed or ended. The next attempt follows after `retryIn`.
    case failed(Failure, retryIn: Duration)
    /// Covers and other attachments, of so many bytes so far, are left out of the programme. Said once for a station,
    /// and once for each file that is played or relayed.
    case attachmentsLeftOut(bytes: Int64, of: String? = nil)
    /// An address that the user names for healing has neither a list of segments nor another Aircheck's relay.
    case hasNothingToHeal(url: String)
    /// A file that was being written has not grown for a while, so it counts as over, but it does not say that it is
    /// whole.
    case mayBeIncomplete(item: String)
    /// A file, or the rest of it, is not played, for this reason.
    case skipped(item: String, reason: String)
}
