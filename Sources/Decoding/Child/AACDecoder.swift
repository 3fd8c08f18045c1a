// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats

/// AAC in ADTS (LC, HE and HE v2) with an ffmpeg beside us, so that hostile frames cannot harm this process.
///
/// What comes out says itself how many channels it has and at which rate it is: HE-AAC doubles the rate that its
/// headers name. Samples are counted, so that each is known to belong to its frame: of what it cannot decode, the
/// program makes silence. The first PCM comes with the fourth frame. A program that dies is replaced, and
/// the new one gets what the old one was working on, so that nothing is missing; one that nobody can start again says
/// ``DecodingError/failed(_:)``.
final class AACDecoder: Decoding {
    private static let program = "ffmpeg"
    /// A frame of eight channels, as HE-AAC.
    private static let bufferSize = 64 << 10

    private let path: String
    /// With input at hand, and without output for so long, a program hangs.
    private let patience: Duration
    /// Readable when the output of the program at hand is, or when it hangs.
    private let pollSet: Descriptor
    private let alarm: Descriptor
    private var child: DecoderChild?
    private var budget = RestartBudget()
    private var frames: FramesInFlight
    /// Of the first frame.
    private var fixed: UInt32?

    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: bufferSize, alignment: MemoryLayout<Float>.alignment)
    /// What of the buffer has been read, and not been handed out.
    private var filled = 0..<0
    /// What the program at hand makes; nil until it has said so.
    private var output: PCMFormat?
    private var hasGivenOutput = false
    /// How many programs one after the other have given nothing.
    private var fruitless = 0
    /// How many programs one after the other have hung, and given nothing.
    private var hung = 0
    private var deadline: MonotonicInstant?
    private var isFinishing = false
    private(set) var isFinished = false
    private var failure: DecodingError?

    /// Programs are looked for in these folders, or in those of `PATH`.
    init(
        _ format: StreamFormat, folders: String? = nil, patience: Duration = .seconds(10)
    ) throws(DecodingError) {
        guard let path = ProgramSearch.path(of: Self.program, in: folders) else {
            throw .missing(name: Self.program, package: Self.program)
        }
        self.path = path
        self.patience = patience
        frames = FramesInFlight(streamRate: format.sampleRate)
        do throws(SystemError) {
            pollSet = Descriptor(owning: try systemCall { ac_open_poll_set() })
            alarm = Descriptor(owning: try systemCall { ac_open_alarm() })
            _ = try systemCall { ac_poll_set_add(pollSet.number, alarm.number) }
        } catch {
            throw Self.lack(error)
        }
        try start()
    }

    deinit { buffer.deallocate() }

    var descriptor: CInt? { pollSet.number }

    /// Where the output of the program at hand comes.
    var outputDescriptor: CInt? { child?.output.number }

    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool {
        if let failure { throw failure }
        guard !isFinishing else { return true }
        guard let header = ADTSFrame(frame), fixed == nil || fixed == header.fixed else {
            throw .damagedFrame("not a frame of this stream")
        }
        send()
        guard !frames.isFull else {
            if deadline == nil { setDeadline() }
            return false
        }
        fixed = header.fixed
        frames.append(frame, at: instant, samples: header.samples)
        send()
        return true
    }

    func next() throws(DecodingError) -> PCMBlock? {
        if let failure { throw failure }
        while true {
            if let block = nextOfBuffer() { return block }
            guard !isFinished, let child else { return nil }
            send()
            switch read(from: child) {
            case .some(let count) where count > 0: clearDeadline()
            case .some: try replace(child)
            case nil:
                guard let deadline, deadline <= .read() else { return nil }
                child.kill()
                try replace(child, hangs: true)
            }
        }
    }

    func finish() {
        guard !isFinishing else { return }
        isFinishing = true
        send()
        if deadline == nil { setDeadline() }
    }

    // MARK: Input

    private func send() {
        guard let child else { return }
        frames.sendRest { child.send($0) }
        if isFinishing, frames.allAreSent { child.endInput() }
    }

    // MARK: Output

    /// What has been read, up to the end of a frame.
    private func nextOfBuffer() -> PCMBlock? {
        guard readHead(), let output else { return nil }
        while filled.count >= output.bytesPerSample {
            let (count, instant) = frames.take(filled.count / output.bytesPerSample)
            guard count > 0 else { continue }
            let bytes = buffer[filled.lowerBound..<filled.lowerBound + count * output.bytesPerSample]
            filled = filled.lowerBound + bytes.count..<filled.upperBound
            guard let instant else { continue }
            hasGivenOutput = true
            return PCMBlock(
                format: output, values: UnsafeRawBufferPointer(rebasing: bytes).assumingMemoryBound(to: Float.self),
                instant: instant)
        }
        return nil
    }

    /// Whether the head has been read; what is behind it is moved to where floats may lie.
    private func readHead() -> Bool {
        guard output == nil else { return true }
        switch WAVHead.parse(UnsafeRawBufferPointer(rebasing: buffer[filled])) {
        case .more: return false
        case .wrong:
            child?.kill()
            filled = 0..<0
            return false
        case .head(let head, let length):
            output = head.format
            frames.setRate(head.format.sampleRate)
            filled = filled.lowerBound + length..<filled.upperBound
            moveToFront()
            return true
        }
    }

    /// Bytes of a sample that is not whole yet stay.
    private func moveToFront() {
        guard filled.lowerBound > 0, let start = buffer.baseAddress else { return }
        start.copyMemory(from: start + filled.lowerBound, byteCount: filled.count)
        filled = 0..<filled.count
    }

    /// Reads from the child: the number of bytes, 0 at its end, nil if none are available now.
    private func read(from child: DecoderChild) -> Int? {
        moveToFront()
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled.upperBound...])
        let count = child.read(into: room)
        if let count { filled = 0..<filled.upperBound + count }
        return count
    }

    // MARK: Programs that come and go

    private func start() throws(DecodingError) {
        do throws(SystemError) {
            let child = try DecoderChild(path)
            _ = try systemCall { ac_poll_set_add(pollSet.number, child.output.number) }
            self.child = child
        } catch {
            throw fail(Self.lack(error))
        }
        (output, filled, hasGivenOutput) = (nil, 0..<0, false)
    }

    /// The program has ended, or is to be. Another one takes its place where there is still something to be decoded.
    private func replace(_ old: DecoderChild, hangs: Bool = false) throws(DecodingError) {
        clearDeadline()
        _ = ac_poll_set_remove(pollSet.number, old.output.number)
        child = nil
        filled = 0..<0
        fruitless = hasGivenOutput ? 0 : fruitless + 1
        hung = !hangs ? 0 : hasGivenOutput ? 1 : hung + 1
        guard hung < 2 else {
            throw fail(.broken("\(Self.program) does not answer", remedy: "see whether it works by itself"))
        }
        // Where nothing comes of it twice, what it was given is why.
        let isHopeless = fruitless >= 2
        if isFinishing, old.hasEndedWell || isHopeless || frames.count == 0 {
            isFinished = true
            return
        }
        if isHopeless { frames.forget() } else { frames.startAgain() }
        guard budget.allows(at: .read()) else {
            throw fail(
                old.startError.map(Self.lack) ?? .failed("\(Self.program) keeps crashing: \(old.lastWords)"))
        }
        try start()
        send()
        if isFinishing || frames.isFull { setDeadline() }
    }

    private func fail(_ error: DecodingError) -> DecodingError {
        failure = error
        return error
    }

    /// What this process, or this machine, has too little of to run the program.
    private static func lack(_ error: SystemError) -> DecodingError {
        let remedy =
            switch error.number {
            case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
            case EAGAIN, ENOMEM: "end other programs, or raise the limits of memory and processes (ulimit -v, -u)"
            default: "see whether it works by itself"
            }
        return .broken("\(program) cannot be started: \(error)", remedy: remedy)
    }

    private func setDeadline() {
        deadline = .read() + patience
        // A little later than that, so that it has passed.
        _ = ac_set_alarm(alarm.number, patience.wholeNanoseconds / 1_000_000 + 1)
    }

    private func clearDeadline() {
        guard deadline != nil else { return }
        deadline = nil
        _ = ac_set_alarm(alarm.number, 0)
    }
}
