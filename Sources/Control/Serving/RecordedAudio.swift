// SPDX-License-Identifier: MIT

import Catalog
import Daemon
import EventLoop
import HTTPServer
import Instants
import Platform
import RadioCore
import RadioFormats
import Storage

/// The audio of recordings over HTTP, whole or a span of air time: the bytes as they lie in the files.
final class RecordedAudio {
    private let daemon: Daemon
    private let answers: LoopAnswers
    /// Reads recorded files, so that the catalog's thread does not have to. Nil if there is no thread.
    private lazy var reader = try? JobThread(name: "audio", most: 16)

    private static let mostPieces = 1_000

    init(of daemon: Daemon, _ answers: LoopAnswers) { (self.daemon, self.answers) = (daemon, answers) }

    /// Answers with the recording of this ID, as far as it was on air in this span.
    func send(_ id: String, from: WallInstant? = nil, until: WallInstant? = nil, to exchange: HTTPExchange) {
        let answer = answers.expect { (audio: Result<HTTPRepresentation, Failure>) in
            switch audio {
            case .success(let audio): exchange.respond(with: audio)
            case .failure(let failure): exchange.respond(ControlService.refusal(failure))
            }
        }
        guard let catalog = daemon.catalog else { return answer(.failure(ControlService.noCatalog)) }
        guard let reader else { return answer(.failure(Self.busy)) }
        catalog.ask({ store throws(CatalogError) in try catalog.detail(of: id, in: store) }) { found in
            guard let detail = (try? found.get()) ?? nil else { return answer(.failure(ControlService.unknown)) }
            let isTaken = reader.run {
                answer(
                    Result { () throws(Failure) in
                        do throws(RecordingExporter.Problem) {
                            let excerpt = catalog.excerpt(of: detail, from: from, until: until)
                            return try Self.audio(of: excerpt, catalog.exporter)
                        } catch {
                            throw Failure(
                                .notFound, "\(error)", remedy: "'aircheck recordings export' writes such audio")
                        }
                    })
            }
            if !isTaken { answer(.failure(Self.busy)) }
        }
    }

    static let busy = Failure(
        .storage, "too many requests for audio are waiting for the disk", remedy: "try again in a minute")

    /// Files of Ogg are sent one after the other; a span of one would need pages of its own.
    private static func audio(
        of excerpt: Excerpt, _ exporter: RecordingExporter
    ) throws(RecordingExporter.Problem) -> HTTPRepresentation {
        guard let format = excerpt.parts.first?.segment.sidecar?.format else { throw .nothing }
        let isOgg = format.container == .ogg
        guard excerpt.parts.count <= mostPieces, !isOgg || excerpt.isWholeFiles else { throw .manyPieces }
        var files: [HTTPFile] = []
        for part in excerpt.parts {
            guard let file = HTTPFile(opening: { try? exporter.open(part) }) else { throw .gone }
            files.append(file)
        }
        let pieces = isOgg ? [] : try exporter.bytes(of: excerpt).pieces
        guard pieces.count <= mostPieces else { throw .manyPieces }
        var parts = isOgg ? files.map { HTTPFilePart($0, 0..<$0.size) } : []
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): parts.append(HTTPFilePart(HTTPFile(bytes: bytes), bytes.indices))
            case .file(let number, let range):
                parts.append(HTTPFilePart(files[number], Int(range.lowerBound)..<Int(range.upperBound)))
            }
        }
        return HTTPRepresentation(parts, fields: [HTTPField("Content-Type", format.fileType.contentType)])
    }
}
