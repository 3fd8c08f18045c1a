// SPDX-License-Identifier: MIT

import Analysis
import Decoding
import EventLoop
import Instants
import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage

/// Levels are made of what a tap hears, or by decoding a file.
struct LevelsRecipe: CompanionRecipe {
    let companion = Companion.levels

    func begin(
        beside recorder: Recorder, of programme: Programme, at place: JoinPlace, _ context: UseContext
    ) -> (any GrowingCompanion)? {
        do throws(Failure) {
            return try LevelWriter(to: recorder, of: programme, at: place, context)
        } catch {
            context.tell(.failed(error))
            return nil
        }
    }

    func isMissing(beside segment: LibrarySegment, in library: Library) -> Bool {
        guard let seconds = segment.sidecar?.seconds else { return false }
        let levels = library.bytes(of: companion, beside: segment).flatMap(Levels.init(bytes:))
        return levels?.areWhole(for: seconds) != true
    }

    func make(of segment: LibrarySegment, in library: Library) -> [UInt8]? {
        guard let file = try? library.frames(of: segment) else { return nil }
        return make(of: file, gaps: Set(segment.sidecar?.gaps.map(\.position) ?? []))
    }

    func make(of file: FrameFile, gaps: Set<Int64>) -> [UInt8]? { try? FileLevels.measure(file, gaps: gaps) }
}

/// Writes levels beside the files of a recorder, from what a tap of its programme hears. Windows whose frames are not
/// recorded yet wait for them. The levels of frames without windows are unknown.
final class LevelWriter {
    private weak var recorder: Recorder?
    private let programme: Programme
    private let context: UseContext
    /// The windows that wait for their frames.
    private var windows: [SoundWindow] = []
    /// The file to which the newest windows belong, and what has not been written of its levels.
    private var newest: (file: FileID, meter: LevelMeter, bytes: [UInt8])?
    /// Called once everything has been heard.
    private var waiting: (() -> Void)?
    private lazy var timer = context.reactor.makeTimer { [weak self] in self?.finish() }

    /// The most time that the end of a recording waits for what a decoder still has.
    private static let patience = Duration.milliseconds(700)
    /// The most windows that wait: a planner may hold back the frames of more than a minute.
    private static let mostWindows = 4_096
    /// How many bytes are written at once: the levels of five seconds of stereo.
    private static let batch = 10

    init(to recorder: Recorder, of programme: Programme, at place: JoinPlace, _ context: UseContext) throws(Failure) {
        (self.recorder, self.programme, self.context) = (recorder, programme, context)
        try context.engine.taps.add(self, to: programme, at: place, context.reactor)
    }

    private func take() {
        var count = 0
        while count < windows.count, let run = recorder?.recorded(from: windows[count].frame) {
            if run.start.frames == windows[count].frame { take(windows[count], of: run) }
            count += 1
        }
        windows.removeFirst(max(count, windows.count - Self.mostWindows))
    }

    private func take(_ window: SoundWindow, of run: ArchiveIndex.Run) {
        if newest?.file != run.file {
            endFile()
            let meter = LevelMeter(channels: run.format.channels)
            newest = (run.file, meter, meter.head())
        }
        let start = Duration.samples(window.instant.addingSaturated(run.lead), at: run.format.sampleRate)
        if let bytes = newest?.meter.take(window, at: start) { newest?.bytes += bytes }
        if let newest, newest.bytes.count >= Self.batch { write() }
    }

    private func endFile() {
        if let bytes = newest?.meter.end() { newest?.bytes += bytes }
        write()
        newest = nil
    }

    private func write() {
        if let newest { recorder?.append(newest.bytes, to: .levels, of: newest.file) }
        newest?.bytes = []
    }

    private func finish() {
        guard let body = waiting.take() else { return }
        timer.cancel()
        context.engine.taps.remove(self, from: programme)
        take()
        endFile()
        body()
    }
}

extension LevelWriter: GrowingCompanion {
    func end(_ body: @escaping () -> Void) {
        waiting = body
        timer.arm(at: context.reactor.now + Self.patience)
        context.engine.taps.finish(programme)
    }
}

extension LevelWriter: SoundTap.Receiver {
    func heard(_ new: [SoundWindow], edge: Duration) {
        windows += new
        take()
    }

    func heardAll() { finish() }
    func cannotHear(_ error: DecodingError) { context.tell(.other(CompanionReport.cannotHear(.levels, error))) }
}
