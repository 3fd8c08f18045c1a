# SPDX-License-Identifier: MIT
"""A small synthesiser on the standard library alone: instruments, a stereo mixer and a reverb.

Deterministic: the only randomness is seeded. Samples are floats around ±1 in plain lists, notes are cached, and loops
run inside list comprehensions, which is what makes eighty seconds of music take seconds and not minutes.
"""

import array
import functools
import itertools
import math
import operator
import random
import wave

RATE = 44100
TABLE_BITS = 13
TABLE_SIZE = 1 << TABLE_BITS

NAMES = {"C": 0, "C#": 1, "D": 2, "Eb": 3, "E": 4, "F": 5, "F#": 6, "G": 7, "G#": 8, "A": 9, "Bb": 10, "B": 11}


def hertz(note):
    """The frequency of a note by name and octave: hertz("A4") is 440."""
    return 440.0 * 2.0 ** ((NAMES[note[:-1]] + 12 * (int(note[-1]) - 4) - 9) / 12)


# Building blocks


@functools.lru_cache(maxsize=None)
def wavetable(partials):
    """One period of a wave, from the strengths of its harmonics."""
    turn = 2 * math.pi / TABLE_SIZE
    return [sum(a * math.sin(turn * (k + 1) * i) for k, a in enumerate(partials)) for i in range(TABLE_SIZE)]


def oscillate(frequency, seconds, partials=(1.0,), phase=0.0):
    table, mask = wavetable(partials), TABLE_SIZE - 1
    step, start = frequency * TABLE_SIZE / RATE, phase * TABLE_SIZE
    return [table[int(start + i * step) & mask] for i in range(int(seconds * RATE))]


def decay(seconds, half_life):
    """An exponential that halves every `half_life` seconds."""
    factor = 0.5 ** (1 / (half_life * RATE))
    return list(itertools.accumulate(itertools.repeat(factor, int(seconds * RATE) - 1), operator.mul, initial=1.0))


def shape(samples, attack, release):
    """Fades a note in and out along a raised cosine, so that it never clicks."""
    samples = list(samples)
    for count, index in ((int(attack * RATE), lambda i: i), (int(release * RATE), lambda i: -1 - i)):
        for i in range(min(count, len(samples))):
            samples[index(i)] *= 0.5 - 0.5 * math.cos(math.pi * i / count)
    return samples


def multiply(left, right):
    return list(map(operator.mul, left, right))


def add(*voices):
    return [sum(values) for values in zip(*voices)]


def low_pass(samples, cutoff):
    """A low-pass filter with one pole."""
    a = 1 - math.exp(-2 * math.pi * cutoff / RATE)
    return list(itertools.accumulate(samples, lambda held, value: held + a * (value - held)))


def noise(seconds, seed):
    generator = random.Random(seed)
    return [generator.uniform(-1, 1) for _ in range(int(seconds * RATE))]


# Instruments: each returns the samples of one note


@functools.lru_cache(maxsize=None)
def pad(note, seconds):
    """Three slightly detuned voices that swell slowly."""
    partials = (1.0, 0.45, 0.28, 0.12, 0.08, 0.04)
    voices = [oscillate(hertz(note) * 2 ** (cents / 1200), seconds, partials, cents / 17 % 1) for cents in (-7, 0, 6)]
    return shape([value / 3 for value in add(*voices)], min(0.9, seconds * 0.4), min(1.2, seconds * 0.4))


@functools.lru_cache(maxsize=None)
def pluck(note, seconds=1.4):
    """A soft string: bright at first, round soon after."""
    bright = multiply(oscillate(hertz(note), seconds, (0.5, 0.5, 0.4, 0.25, 0.18, 0.1)), decay(seconds, 0.07))
    round_ = multiply(oscillate(hertz(note), seconds, (1.0, 0.3, 0.1)), decay(seconds, 0.25))
    return shape([0.45 * a + 0.55 * b for a, b in zip(bright, round_)], 0.004, 0.2)


@functools.lru_cache(maxsize=None)
def bell(note, seconds=2.6):
    """A music-box tine: partials of a struck bar, the high ones gone first."""
    voices = [
        [strength * value for value in multiply(oscillate(hertz(note) * ratio, seconds), decay(seconds, half_life))]
        for ratio, strength, half_life in ((1, 0.7, 0.42), (2.76, 0.22, 0.16), (5.4, 0.1, 0.05), (2.0, 0.12, 0.3))
        if hertz(note) * ratio < 16000
    ]
    return shape(add(*voices), 0.002, 0.3)


@functools.lru_cache(maxsize=None)
def electric_piano(note, seconds):
    """Two-operator FM with a little tremolo."""
    f, turn = hertz(note), 2 * math.pi / RATE
    index = decay(seconds, 0.22)
    samples = [
        math.sin(turn * f * i + 1.5 * m * math.sin(turn * f * i)) * (1 + 0.12 * math.sin(turn * 4.6 * i))
        for i, m in enumerate(index)
    ]
    return shape(multiply(samples, decay(seconds, 0.8)), 0.006, 0.12)


@functools.lru_cache(maxsize=None)
def bass(note, seconds):
    samples = multiply(oscillate(hertz(note), seconds, (1.0, 0.35, 0.12, 0.05)), decay(seconds, 0.7))
    return shape(samples, 0.008, 0.06)


@functools.lru_cache(maxsize=None)
def flute(note, seconds):
    """Nearly a sine, with a vibrato that comes late."""
    f, turn = hertz(note), 2 * math.pi / RATE
    samples = [
        math.sin(phase) + 0.16 * math.sin(2 * phase) + 0.05 * math.sin(3 * phase)
        for phase in (
            turn * f * i + 0.9 * min(1.0, i / RATE) * math.sin(turn * 5.1 * i) for i in range(int(seconds * RATE))
        )
    ]
    return shape(samples, 0.09, 0.18)


@functools.lru_cache(maxsize=None)
def kick():
    turn, seconds = 2 * math.pi / RATE, 0.32
    pitch = [46 + 120 * value for value in decay(seconds, 0.018)]
    phases = itertools.accumulate(pitch)
    return shape(multiply([math.sin(turn * phase) for phase in phases], decay(seconds, 0.09)), 0.001, 0.05)


@functools.lru_cache(maxsize=None)
def snare():
    seconds = 0.25
    rattle = multiply(low_pass(noise(seconds, 7), 5200), decay(seconds, 0.045))
    body = multiply(oscillate(186, seconds), decay(seconds, 0.03))
    return shape([0.8 * a + 0.5 * b for a, b in zip(rattle, body)], 0.001, 0.05)


@functools.lru_cache(maxsize=None)
def hat(seconds=0.09):
    hiss = noise(seconds, 11)
    thin = [a - b for a, b in zip(hiss[1:], hiss)]
    return shape(multiply(thin, decay(seconds, seconds / 5)), 0.001, 0.01)


# The mixer


class Mix:
    """A stereo track with a dry part and a share that is sent to the reverb."""

    def __init__(self, seconds):
        self.length = int(seconds * RATE)
        self.left, self.right, self.send = ([0.0] * self.length for _ in range(3))

    def play(self, at, samples, gain, pan=0.0, room=0.25):
        """Adds a note at `at` seconds; `pan` from −1 (left) to 1, with equal power."""
        start = max(0, round(at * RATE))
        samples = samples[: max(0, self.length - start)]
        angle = (pan + 1) * math.pi / 4
        for track, level in (
            (self.left, gain * math.cos(angle)), (self.right, gain * math.sin(angle)), (self.send, gain * room)
        ):
            end = start + len(samples)
            track[start:end] = [held + level * value for held, value in zip(track[start:end], samples)]

    def mastered(self, rms_decibels=-18.0, ceiling=0.82, fade_out=0.4):
        """Both channels with reverb, at the wanted loudness, peaks rounded off below the ceiling."""
        wet = low_pass(self.send, 4500)
        channels = [
            [dry + echo for dry, echo in zip(track, reverb(wet, spread))]
            for track, spread in ((self.left, 0), (self.right, 23))
        ]
        channels = [shape(channel, 0.005, fade_out) for channel in channels]
        power = sum(sum(map(operator.mul, channel, channel)) for channel in channels) / (2 * self.length)
        gain = 10 ** (rms_decibels / 20) / math.sqrt(power)
        return [[ceiling * math.tanh(gain * value / ceiling) for value in channel] for channel in channels]


def reverb(samples, spread):
    """Schroeder's reverb: four parallel comb filters, then two all-pass filters in series."""
    combs = [comb(samples, length + spread, 0.78) for length in (1557, 1617, 1491, 1422)]
    mixed = [0.25 * value for value in add(*combs)]
    for length in (225, 556):
        mixed = all_pass(mixed, length + spread, 0.5)
    return mixed


def comb(samples, length, feedback):
    """y[n] = x[n] + feedback · y[n − length], a block of `length` at a time."""
    result, previous = [], [0.0] * length
    for start in range(0, len(samples), length):
        previous = [value + feedback * held for value, held in zip(samples[start:start + length], previous)]
        result += previous
    return result


def all_pass(samples, length, gain):
    """y[n] = x[n − length] − gain · (x[n] − y[n − length])."""
    result, previous, before = [], [0.0] * length, [0.0] * length
    for start in range(0, len(samples), length):
        block = samples[start:start + length]
        previous = [old - gain * (new - held) for new, old, held in zip(block, before, previous)]
        before = block
        result += previous
    return result


def write_wave(path, channels):
    """16-bit stereo with triangular dither of one step."""
    generator = random.Random(2)
    frames = array.array("h")
    for pair in zip(*channels):
        for value in pair:
            dithered = value * 32767 + generator.random() - generator.random()
            frames.append(max(-32768, min(32767, round(dithered))))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames.tobytes())
