// SPDX-License-Identifier: MIT

/// Takes over the responses of one kind that are not audio: those for another source, or for whoever wants lists.
protocol ResponseReader {
    /// Takes over a response whose head and first bytes prove that it is of this kind. Its connection then fails, unless
    /// the stream has given way to another source, which goes on with the response.
    static func takes(_ response: UnreadResponse, from stream: LiveStream) -> Bool
}

extension LiveStream {
    /// The readers, in the order in which a response is offered to them. What none of them takes is refused.
    static var readers: [any ResponseReader.Type] { [ItemListReader.self] }

    /// Leaves the programme to another source, which has already begun.
    func giveWay(to other: any StationSource) {
        junction.closeOthers()
        run.trunk.programme?.replaceSource(by: other)
    }
}

/// Takes what may be a list of items, if the programme's owner wants it.
private enum ItemListReader: ResponseReader {
    static func takes(_ response: UnreadResponse, from stream: LiveStream) -> Bool {
        stream.run.trunk.programme?.onUnread?(response) ?? false
    }
}
