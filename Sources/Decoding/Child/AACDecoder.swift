// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats

/// Decodes AAC in ADTS (LC, HE and HE v2) with an ffmpeg process, so that hostile frames cannot harm this process.
///
/// ffmpeg's output states its channels and rate; with HE-AAC, the rate is twice the rate in the frame headers. The
/// decoder counts samples to match them with frames. This works because ffmpeg outputs silence for frames that it
/// cannot decode. The first PCM comes with the fourth frame. A process that dies is replaced, and the new process gets
/// the frames that the old one was working on, so that no audio is missing. If processes keep crashing, the decoder
/// throws ``DecodingError/failed(_:)``.
final class AACDecoder: Decoding {
    private static let program = "ffmpeg"
    /// The size of the buffer in bytes: room for the PCM of one frame of HE-AAC with eight channels.
    private static let bufferSize = 64 << 10

    private let path: String
    /// A process that has input but gives no output for this long counts as hanging.
    private let patience: Duration
    /// Readable when the current process has output, or when it hangs.
    private let pollSet: Descriptor
    private let alarm: Descriptor
    private var child: DecoderChild?
    private var budget = RestartBudget()
    private var frames: FramesInFlight
    /// The fixed header bits of the first frame.
    private var fixed: UInt32?

    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: bufferSize, alignment: MemoryLayout<Float>.alignment)
    /// The part of the buffer that has been read but not handed out.
    private var filled = 0..<0
    /// The output format of the current process; nil until its head has been read.
    private var output: PCMFormat?
    private var hasGivenOutput = false
    /// How many processes in a row have ended without any output.
    private var fruitless = 0
    /// How many processes in a row have hung, counted from the last one that gave output.
    private var hung = 0
    private var deadline: MonotonicInstant?
    private var isFinishing = false
    private(set) var isFinished = false
    private var failure: DecodingError?

    /// Looks for ffmpeg in `folders`, or in the folders of `PATH` if `folders` is nil.
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

    /// The descriptor of the current process's output.
    var outputDescriptor: CInt? { child?.output.number }

    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool {
        if let failure { throw failure }
        guard !isFinishing else { return true }
        guard let header = ADTSFrame(frame), fixed == nil || fixed == header.fixed else {
            throw .damagedFrame("not a frame of this stream")
        }
        guard !frames.isFull else {
            if deadline == nil { setDeadline() }
            return false
        }
        fixed = header.fixed
        frames.append(frame, at: instant, samples: header.samples)
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

    /// The next PCM in the buffer, up to the end of a frame. A block begins with a whole sample of the stream.
    private func nextOfBuffer() -> PCMBlock? {
        guard readHead(), let output else { return nil }
        let unit = output.bytesPerSample * frames.ratio
        while filled.count >= unit {
            let (count, instant) = frames.take(filled.count / unit * frames.ratio)
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

    /// Whether the head has been read. Moves the bytes behind the head to an address that is aligned for floats.
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

    /// Moves unread bytes, such as those of an incomplete sample, to the start of the buffer.
    private func moveToFront() {
        guard filled.lowerBound > 0, let start = buffer.baseAddress else { return }
        start.copyMemory(from: start + filled.lowerBound, byteCount: filled.count)
        filled = 0..<filled.count
    }

    /// Reads from the child. Returns the number of bytes, 0 at its end, or nil if no bytes are available now.
    private func read(from child: DecoderChild) -> Int? {
        moveToFront()
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled.upperBound...])
        let count = child.read(into: room)
        if let count { filled = 0..<filled.upperBound + count }
        return count
    }

    // MARK: Processes

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

    /// Handles a process that has ended or been killed. Starts another process if there are still frames to decode.
    private func replace(_ old: DecoderChild, hangs: Bool = false) throws(DecodingError) {
        clearDeadline()
        _ = ac_poll_set_remove(pollSet.number, old.output.number)
        child = nil
        filled = 0..<0
        fruitless = hasGivenOutput ? 0 : fruitless + 1
        hung = !hangs ? 0 : hasGivenOutput ? 1 : hung + 1
        guard hung < 2 else {
            throw fail(.broken("\(Self.program) does not answer", remedy: "check whether \(Self.program) works alone"))
        }
        // If two processes in a row give no output, the frames are the cause.
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

    /// The error if this process or this machine lacks the resources to start ffmpeg.
    private static func lack(_ error: SystemError) -> DecodingError {
        let remedy =
            switch error.number {
            case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
            case EAGAIN, ENOMEM: "end other programs, or raise the limits of memory and processes (ulimit -v, -u)"
            default: "check whether \(program) works on its own"
            }
        return .broken("\(program) cannot be started: \(error)", remedy: remedy)
    }

    private func setDeadline() {
        deadline = .read() + patience
        // The alarm is set to a moment after the deadline, so that the deadline has surely passed when it comes.
        _ = ac_set_alarm(alarm.number, patience.wholeNanoseconds / 1_000_000 + 1)
    }

    private func clearDeadline() {
        guard deadline != nil else { return }
        deadline = nil
        _ = ac_set_alarm(alarm.number, 0)
    }
}
