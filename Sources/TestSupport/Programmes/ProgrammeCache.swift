// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// The programmes that this process has encoded. Their files are removed when it exits.
final class ProgrammeCache: Sendable {
    static let shared: ProgrammeCache = {
        atexit { ProgrammeCache.shared.entries.change { $0.removeAll() } }
        return ProgrammeCache()
    }()

    private enum Entry: Sendable {
        case inTheMaking
        case made(ProgrammeFile)
        case failed(SetupError)
    }

    /// An encoded file in a folder of its own.
    private struct ProgrammeFile: Sendable {
        let folder: TemporaryFolder
        let path: String
    }

    private let entries = Watched<[ReferenceProgramme.Parameters: Entry]>([:])

    /// The path of a programme's file. The first caller encodes it; callers in the meantime wait. Blocks.
    func path(of parameters: ReferenceProgramme.Parameters) throws -> String {
        let isFirst = entries.change { entries in
            guard entries[parameters] == nil else { return false }
            entries[parameters] = .inTheMaking
            return true
        }
        if isFirst {
            let entry = make(parameters)
            entries.change { $0[parameters] = entry }
        }
        let result = entries.wait(within: .seconds(120)) { entries -> Result<String, SetupError>? in
            switch entries[parameters] {
            case .made(let file): .success(file.path)
            case .failed(let error): .failure(error)
            case .inTheMaking, nil: nil
            }
        }
        guard let result else { throw SetupError("no programme after two minutes: \(parameters)") }
        return try result.get()
    }

    private func make(_ parameters: ReferenceProgramme.Parameters) -> Entry {
        do {
            let folder = try TemporaryFolder("aircheck-programme")
            let path = folder.file("programme.\(parameters.encoding.fileExtension)")
            let outcome = try ChildProcess(.ffmpeg, arguments(parameters, path)).wait(within: .seconds(110))
            guard outcome.succeeded else {
                return .failed(SetupError("ffmpeg does not encode \(parameters):\n\(outcome.standardError)"))
            }
            return .made(ProgrammeFile(folder: folder, path: path))
        } catch {
            return .failed(SetupError("\(error)"))
        }
    }

    private func arguments(_ parameters: ReferenceProgramme.Parameters, _ path: String) -> [String] {
        let input = parameters.scenes.isEmpty ? noiseAndTone(parameters) : scenes(parameters)
        let shape = ["-ac", "\(parameters.channels)", "-ar", "\(parameters.sampleRate)", "-map_metadata", "-1"]
        let reservoir = parameters.encoding.isLayerIII && !parameters.usesReservoir ? ["-reservoir", "0"] : []
        return ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-threads", "1"] + input + shape
            + ["-fflags", "+bitexact", "-flags:a", "+bitexact"] + parameters.encoding.encoder + reservoir
            + parameters.encoding.muxer + [path]
    }

    private func noiseAndTone(_ parameters: ReferenceProgramme.Parameters) -> [String] {
        let (rate, length) = (parameters.sampleRate, parameters.seconds)
        let noise = "anoisesrc=seed=\(parameters.seed):amplitude=0.25:color=pink:r=\(rate):d=\(length)"
        let tone = "sine=frequency=\(300 + 20 * (parameters.seed % 20)):r=\(rate):d=\(length)"
        return ["-f", "lavfi", "-i", noise, "-f", "lavfi", "-i", tone, "-filter_complex", "amix=2:duration=first"]
    }

    private func scenes(_ parameters: ReferenceProgramme.Parameters) -> [String] {
        let rate = parameters.sampleRate
        let sources = parameters.scenes.enumerated().map { index, scene in
            let music = "anoisesrc=seed=\(parameters.seed + index):amplitude=0.25:color=pink:r=\(rate)"
            return switch scene {
            case .music(let length): "\(music):d=\(length)"
            case .silence(let length): "anullsrc=r=\(rate):cl=mono:d=\(length)"
            case .hiss(let length): "anoisesrc=seed=\(index):amplitude=0.00055:color=white:r=\(rate):d=\(length)"
            case .tone(let length): "sine=1000:r=\(rate):d=\(length)"
            case .half(let length): "\(music):d=\(length),pan=stereo|c0=c0|c1=0*c0"
            }
        }
        let inputs = sources.indices.map { "[\($0)]aformat=channel_layouts=stereo[s\($0)]" }.joined(separator: ";")
        let joined = sources.indices.map { "[s\($0)]" }.joined() + "concat=n=\(sources.count):v=0:a=1"
        return sources.flatMap { ["-f", "lavfi", "-i", $0] } + ["-filter_complex", "\(inputs);\(joined)"]
    }
}
