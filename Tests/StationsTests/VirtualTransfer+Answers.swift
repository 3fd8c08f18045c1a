// SPDX-License-Identifier: MIT

import TestSupport

extension VirtualTransfer {
    /// Receives the head of a live MP3 station, with metadata blocks at an interval or without.
    func receiveHead(
        _ status: Int = 200, interval: Int?, type: String = "audio/mpeg", fields more: [(String, String)] = [],
        isStation: Bool = true
    ) {
        var head = LiveHead(status)
        head.fields = [("content-type", type)] + more
        if isStation { head.fields.append(("icy-name", "Test")) }
        if let interval { head.fields.append(("icy-metaint", "\(interval)")) }
        receive(head)
    }

    /// Receives a head if there was none yet, and all frames at once.
    func bring(_ bytes: [UInt8], fields: [(String, String)] = [], isStation: Bool = true, ends: Bool = false) {
        if !hasHead { receiveHead(interval: nil, fields: fields, isStation: isStation) }
        receive(bytes[...])
        if ends { end() }
    }
}
