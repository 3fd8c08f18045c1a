// SPDX-License-Identifier: MIT

import Catalog
import Daemon
import EventLoop
import HTTPServer
import RadioCore
import RadioFormats
import Storage

/// The API's route for the audio of a recording, whole or a span of air time: the bytes as they lie in the files.
extension ControlService {
    private static let mostFiles = 64

    func sendAudio(_ exchange: HTTPExchange) throws(Failure) {
        guard let catalog = daemon.catalog else { throw Self.noCatalog }
        let (id, wanted) = (exchange.query("id") ?? "", try query(exchange))
        let span = (wanted.from?.instant, wanted.until?.instant)
        let answer = answers.expect { (audio: Result<HTTPRepresentation, Failure>) in
            switch audio {
            case .success(let audio): exchange.respond(with: audio)
            case .failure(let failure): exchange.respond(Self.refusal(failure))
            }
        }
        catalog.ask({ store throws(CatalogError) in
            try catalog.excerpt(of: id, from: span.0, until: span.1, in: store)
        }) { found in
            answer(
                Result { () throws(Failure) in
                    guard let excerpt = try? found.get() else { throw Self.unknown }
                    do throws(RecordingExporter.Fault) {
                        return try Self.audio(of: excerpt, isWhole: span == (nil, nil), catalog.exporter)
                    } catch {
                        throw Failure(.notFound, "\(error)", remedy: "'aircheck recordings export' writes such audio")
                    }
                })
        }
    }

    /// Files of Ogg are sent one after the other; a span of one would need pages of its own.
    private static func audio(
        of excerpt: Excerpt, isWhole: Bool, _ exporter: RecordingExporter
    ) throws(RecordingExporter.Fault) -> HTTPRepresentation {
        guard let format = excerpt.parts.first?.segment.sidecar?.format else { throw .nothing }
        let isOgg = format.container == .ogg
        guard excerpt.parts.count <= mostFiles, isWhole || !isOgg else { throw .manyPieces }
        var files: [HTTPFile] = []
        for part in excerpt.parts {
            guard let file = HTTPFile(descriptor: try exporter.open(part)) else { throw .gone }
            files.append(file)
        }
        let pieces = isOgg ? [] : try exporter.bytes(of: excerpt).pieces
        var parts = isOgg ? files.map { HTTPFilePart($0, 0..<$0.size) } : []
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                guard let lead = HTTPFile(bytes: bytes) else { throw .gone }
                parts.append(HTTPFilePart(lead, bytes.indices))
            case .file(let number, let range):
                parts.append(HTTPFilePart(files[number], Int(range.lowerBound)..<Int(range.upperBound)))
            }
        }
        return HTTPRepresentation(parts, fields: [HTTPField("Content-Type", format.fileType.contentType)])
    }
}
