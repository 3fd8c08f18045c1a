// SPDX-License-Identifier: MIT

package import Instants

extension HLSScript {
    /// The answer to a request. `epoch`: the date at which the programme starts.
    package func answer(
        _ request: HLSRequest, at time: Duration, epoch: WallInstant, _ record: inout HLSRecord
    ) -> HLSAnswer {
        let subject = subject(of: request.path, at: time)
        let asked = HLSAsked(
            subject: subject, segment: segment(subject), count: record.count(request.path), time: time)
        let fault = faults.first { $0.strikes(asked) }?.effect
        var listing: HLSListing?
        let uses = asked.isSegment ? record.count("used" + request.query) : 0
        var answer = plainAnswer(request, asked, uses, fault, epoch, &listing)
        answer = struck(answer, by: fault)
        if answer.status == 200, !answer.hangsUp { answer = conditional(answer, request, asked) }
        record.entries.append(
            .init(
                asked: asked, target: request.target, status: answer.status,
                sent: min(answer.cutAfter ?? .max, answer.body.count), listing: answer.status < 400 ? listing : nil))
        return answer
    }

    // MARK: What is requested

    private func subject(of path: String, at time: Duration) -> HLSAsked.Subject {
        switch path {
        case "/station.m3u8": return .door
        case "/master.m3u8": return .master
        case "/live.m3u8": return .list(variants[0].name)
        default: break
        }
        let parts = path.split(separator: "/")
        let variant = parts.count == 2 ? variants.first { parts[0] == $0.name } : variants.first
        guard let variant, let file = parts.last else { return .unknown }
        if file == "list.m3u8" { return .list(variant.name) }
        if file == "key.bin" { return .key(variant.name) }
        if file.hasSuffix("init.mp4") { return .initialisation(variant.name) }
        return variant.rendition.place(ofFile: file, at: time).map { .segment(variant.name, run: $0, index: $1) }
            ?? .unknown
    }

    private func segment(_ subject: HLSAsked.Subject) -> HLSSegment? {
        guard case .segment(let name, let run, let index) = subject else { return nil }
        return rendition(name).cuts[run].segments[index]
    }

    private func rendition(_ name: String) -> HLSRendition {
        (variants.first { $0.name == name } ?? variants[0]).rendition
    }

    // MARK: What the server has

    private func plainAnswer(
        _ request: HLSRequest, _ asked: HLSAsked, _ uses: Int, _ fault: HLSFault.Effect?, _ epoch: WallInstant,
        _ listing: inout HLSListing?
    ) -> HLSAnswer {
        if let refusal = refusal(of: request, asked, uses) { return refusal }
        let query = gate?.guardsSegments == true && gate?.usesCookie == false ? request.query : ""
        switch asked.subject {
        case .door: return redirect(asked)
        case .master:
            let lines = variants.map { "#EXT-X-STREAM-INF:\($0.attributes)\n\($0.name)/list.m3u8\(request.query)\n" }
            return Self.list("#EXTM3U\n" + lines.joined())
        case .list(let name):
            let time =
                switch fault {
                case .stale(let age): asked.time - age
                case .frozen(let time): time
                default: asked.time
                }
            let rendition = rendition(name)
            listing = rendition.listing(at: time)
            // The segments of `/live.m3u8` are in the folder of the first variant.
            let folder = request.path == "/live.m3u8" && !rendition.prefix.contains(":") ? "\(name)/" : ""
            var placed = rendition
            placed.prefix = folder + rendition.prefix
            return placed.list(at: time, epoch: epoch, query: query).map(Self.list) ?? .text(404, "not on air")
        case .segment(let name, let run, let index):
            let rendition = rendition(name)
            let last = min(index + rendition.segmentsPerFile, rendition.cuts[run].segments.count) - 1
            let available =
                rendition.availability(ofRun: run, segment: index)
                .lowerBound..<rendition.availability(ofRun: run, segment: last).upperBound
            guard available.contains(asked.time) else { return .text(404, "not here, or no more") }
            return HLSAnswer(
                200, [("Content-Type", rendition.contentType)],
                body: rendition.file(ofRun: run, segment: index, at: asked.time))
        case .initialisation(let name):
            return HLSAnswer(200, [("Content-Type", "video/mp4")], body: rendition(name).initialisation)
        case .key(let name):
            guard let key = rendition(name).key else { return .text(404, "no key") }
            return HLSAnswer(200, [("Content-Type", "application/octet-stream")], body: key.bytes)
        case .unknown: return .text(404, "no such file")
        }
    }

    private static func list(_ text: String) -> HLSAnswer {
        HLSAnswer(200, [("Content-Type", "application/vnd.apple.mpegurl")], body: Array(text.utf8))
    }

    // MARK: Tokens

    private func redirect(_ asked: HLSAsked) -> HLSAnswer {
        var (answer, place) = (HLSAnswer(302), door(asked.count))
        let token = "token=\(asked.time.wholeMilliseconds)"
        if gate?.usesCookie == true {
            answer.fields.append(("Set-Cookie", "\(token); Path=/"))
        } else if gate != nil {
            place += (place.contains("?") ? "&" : "?") + token
        }
        answer.location = place
        return answer
    }

    /// `uses`: how many segments were requested with the same token before.
    private func refusal(of request: HLSRequest, _ asked: HLSAsked, _ uses: Int) -> HLSAnswer? {
        guard let gate, asked.subject != .door, gate.guardsSegments || !asked.isAudio else { return nil }
        let place = gate.usesCookie ? request["cookie"] ?? "" : request.query
        let token = place.components(after: "token=").flatMap { Int64($0.prefix { $0.isNumber }) }
        guard let token else { return .text(403, "no token") }
        let issued = Duration.milliseconds(token)
        let isDead =
            asked.time - issued > gate.lifetime || uses >= gate.uses
            || gate.deaths.contains { issued < $0 && $0 <= asked.time }
        return isDead ? .text(403, "the token is dead") : nil
    }

    // MARK: Faults, conditions and ranges

    private func struck(_ answer: HLSAnswer, by fault: HLSFault.Effect?) -> HLSAnswer {
        var answer = answer
        switch fault {
        case .status(let status, let wait):
            answer = .text(status, "scripted")
            if let wait { answer.fields.append(("Retry-After", "\(wait)")) }
        case .cut(let part, let isStated):
            answer.cutAfter = Int(Double(answer.body.count) * part)
            answer.statesLength = isStated
        case .slow(let time): answer.over = time
        case .late(let time): answer.wait = time
        case .hangUp: answer.hangsUp = true
        case .body(let body, let type): answer = HLSAnswer(200, [("Content-Type", type)], body: body)
        case .stale, .frozen, nil: break
        }
        return answer
    }

    private func conditional(_ answer: HLSAnswer, _ request: HLSRequest, _ asked: HLSAsked) -> HLSAnswer {
        var answer = answer
        let hash = answer.body.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let name = String(hash, radix: 16)
        var tag = ranges == .weak ? "W/\"\(name)\"" : "\"\(name)\""
        if ranges == .dated {
            tag = "date of \(name)"
            answer.fields += [("Last-Modified", tag), ("Date", "later")]
        } else {
            answer.fields.append(("ETag", ranges == .changed ? "\(tag)\(asked.count)" : tag))
        }
        if request["if-none-match"] == tag { return HLSAnswer(304, [("ETag", tag)]) }
        if let range = request["range"], ranges != .ignored, request["if-range"].map({ $0 == tag }) ?? true {
            return part(range, of: answer)
        }
        let accepts = request["accept-encoding"]?.contains("gzip") ?? false
        if compresses, accepts, !asked.isSegment, answer.cutAfter == nil {
            answer.fields.append(("Content-Encoding", "gzip"))
            answer.body = StoredGzip.bytes(answer.body)
        }
        return answer
    }

    private func part(_ range: String, of answer: HLSAnswer) -> HLSAnswer {
        let bounds = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int(bounds[0]), first < answer.body.count,
            ranges != .refused
        else {
            return HLSAnswer(416, [("Content-Range", "bytes */\(answer.body.count)")])
        }
        let last = min(Int(bounds[1]) ?? .max, answer.body.count - 1)
        var part = answer
        part.status = 206
        let stated = ranges == .misplaced ? first + 1 : first
        part.fields.append(("Content-Range", "bytes \(stated)-\(last)/\(answer.body.count)"))
        part.body = first <= last ? Array(answer.body[first...last]) : []
        part.cutAfter = answer.cutAfter.map { max(0, $0 - first) }
        return part
    }
}

extension HLSRendition {
    /// The run and index of the segment in a file: of the newest run that has written it by this time.
    func place(ofFile file: Substring, at time: Duration) -> (run: Int, index: Int)? {
        for run in runs.indices.reversed() where file.hasPrefix(runs[run].name) {
            let number = file.dropFirst(runs[run].name.count).prefix { $0 != "." }
            guard let number = Int(number), case let index = number - runs[run].firstNumber,
                cuts[run].segments.indices.contains(index),
                run == 0 || availability(ofRun: run, segment: index).lowerBound <= time
            else { continue }
            return (run, index)
        }
        return nil
    }
}

extension String {
    /// What follows a text in this one; nil if it is not in it.
    fileprivate func components(after text: String) -> Substring? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) { return rest.dropFirst(text.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
