// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

extension Trunk {
    /// Takes frames of a station in HLS, and notes which of them are adverts. A frame is one if most of it is.
    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer, noting adverts: HLSAdverts, _ sampleRate: Int) {
        var first = 0
        while first < batch.count {
            let end = note(adverts, batch, from: first, sampleRate)
            take(batch[first..<end], UnsafeRawBufferPointer(rebasing: bytes[batch.range(of: first..<end)]))
            first = end
        }
    }

    /// Says whether an advert is on air from a frame on, and returns the frame at which that may change.
    private func note(_ adverts: HLSAdverts, _ batch: FrameBatch, from first: Int, _ sampleRate: Int) -> Int {
        guard var time = edge else { return batch.count }
        let half = Duration.samples(Int64(batch[first].samples), at: sampleRate) / 2
        hub.setAdvert(adverts.source(at: time + half))
        guard let change = adverts.change(after: time + half) else { return batch.count }
        for index in first..<batch.count {
            let length = Duration.samples(Int64(batch[index].samples), at: sampleRate)
            if index > first, time + length / 2 >= change { return index }
            time = time + length
        }
        return batch.count
    }
}
