// SPDX-License-Identifier: MIT

import Catalog
import Daemon
import EventLoop
import HTTPServer
import Platform
import RadioCore
import RadioFormats
import Storage

/// The API's route for the audio of a recording, whole or a span of air time: the bytes as they lie in the files.
extension ControlService {
    private static let mostPieces = 1_000

    func sendAudio(_ exchange: HTTPExchange) throws(Failure) {
        guard let catalog = daemon.catalog else { throw Self.noCatalog }
        guard let reader = audioReader else { throw Self.busy }
        let (id, wanted) = (exchange.query("id") ?? "", try query(exchange))
        let span = (wanted.from?.instant, wanted.until?.instant)
        let answer = answers.expect { (audio: Result<HTTPRepresentation, Failure>) in
            switch audio {
            case .success(let audio): exchange.respond(with: audio)
            case .failure(let failure): exchange.respond(Self.refusal(failure))
            }
        }
        catalog.ask({ store throws(CatalogError) in try catalog.detail(of: id, in: store) }) { found in
            guard let detail = (try? found.get()) ?? nil else { return answer(.failure(Self.unknown)) }
            let isTaken = reader.run {
                answer(
                    Result { () throws(Failure) in
                        do throws(RecordingExporter.Fault) {
                            let excerpt = catalog.excerpt(of: detail, from: span.0, until: span.1)
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
    ) throws(RecordingExporter.Fault) -> HTTPRepresentation {
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
