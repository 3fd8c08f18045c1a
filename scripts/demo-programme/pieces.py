# SPDX-License-Identifier: MIT
"""The four pieces of the demo programme, as functions that return a Mix."""

import random

from synth import Mix, bass, bell, electric_piano, flute, hat, kick, low_pass, noise, pad, pluck, snare


def sign_on():
    """The station's ident: the letters A C in Morse on bells, answered by a chord that opens."""
    mix = Mix(7.0)
    dot, at = 0.1, 0.35
    for letter, notes in ((".-", ("D5", "A5")), ("-.-.", ("F#5", "B5", "A5", "D6"))):
        for mark, note in zip(letter, notes):
            length = 1 if mark == "." else 3
            mix.play(at, pluck(note, 0.5 + 0.2 * length), 0.5, pan=-0.2, room=0.5)
            mix.play(at, bell(note), 0.35, pan=0.25, room=0.5)
            at += (length + 1) * dot
        at += 2 * dot
    mix.play(at, kick(), 0.5, room=0.3)
    mix.play(at, bass("D2", 3.2), 0.55)
    for i, note in enumerate(("D3", "A3", "C#4", "F#4", "E4")):
        mix.play(at - 0.25, pad(note, 4.4), 0.3, pan=(i - 2) * 0.35, room=0.5)
    for i, note in enumerate(("D5", "F#5", "A5", "C#6", "E6", "A6")):
        mix.play(at + 0.12 * i, bell(note), 0.3 - 0.03 * i, pan=(-1) ** i * 0.5, room=0.6)
    return mix


def first_light():
    """Slow: pads, a rocking arpeggio, and a flute that joins half-way."""
    beat = 60 / 72
    bars = [
        ("C2", ("C4", "E4", "G4", "B4")), ("E2", ("B3", "E4", "G4", "D5")),
        ("A2", ("C4", "E4", "G4", "B4")), ("F2", ("A3", "C4", "E4", "G4")),
        ("C2", ("C4", "E4", "G4", "D5")), ("B2", ("B3", "D4", "G4", "A4")),
        ("F2", ("A3", "C4", "E4", "G4")), ("C2", ("C4", "E4", "G4", "C5")),
    ]
    mix = Mix(len(bars) * 4 * beat + 1.5)
    for index, (root, chord) in enumerate(bars):
        at = index * 4 * beat
        mix.play(at, bass(root, 3.6 * beat), 0.3, room=0.1)
        for i, note in enumerate(chord):
            mix.play(at, pad(note, 4.5 * beat), 0.2, pan=(i - 1.5) * 0.4, room=0.35)
        for i, step in enumerate((0, 1, 2, 3, 2, 1, 3, 2)):
            note = chord[step][:-1] + str(int(chord[step][-1]) + 1)
            late = 0.012 * (i % 2)
            mix.play(at + i * beat / 2 + late, pluck(note), 0.2 + 0.05 * (i == 0), pan=0.45 * (-1) ** i, room=0.4)
    melody = [
        (14, "E5", 2), (16, "D5", 3), (19, "B4", 1), (20, "G5", 2.5), (22.5, "F#5", 0.5), (23, "D5", 1),
        (24, "E5", 2), (26, "C5", 1), (27, "A4", 1), (28, "G4", 3),
    ]
    for at, note, beats in melody:
        mix.play(at * beat, flute(note, beats * beat + 0.1), 0.24, pan=0.1, room=0.5)
    return mix


def waltz():
    """A music box over bass and two chords to the bar."""
    beat = 60 / 138
    bars = [
        ("G2", ("B3", "D4")), ("F#2", ("A3", "D4")), ("E2", ("G3", "B3")), ("B2", ("F#3", "D4")),
        ("C3", ("G3", "E4")), ("G2", ("B3", "D4")), ("A2", ("C4", "E4")), ("D3", ("C4", "F#4")),
        ("G2", ("B3", "D4")), ("F#2", ("A3", "D4")), ("E2", ("G3", "B3")), ("B2", ("F#3", "D4")),
        ("C3", ("G3", "E4")), ("D3", ("C4", "F#4")), ("G2", ("B3", "D4")), ("G2", ("B3", "D4")),
    ]
    melody = [
        "D5 1 B5 1 A5 1", "A5 2 F#5 1", "G5 1 A5 1 B5 1", "F#5 3", "E5 1 G5 1 C6 1", "B5 2 G5 1", "A5 1 B5 1 C6 1",
        "A5 2 D5 1", "D5 1 B5 1 A5 1", "A5 1.5 B5 0.5 D6 1", "B5 1 A5 1 G5 1", "F#5 2 D5 1", "E5 1 G5 1 C6 1",
        "B5 1 A5 1 F#5 1", "G5 2 B5 1", "G6 3",
    ]
    mix = Mix(len(bars) * 3 * beat + 2.2)
    for index, ((root, chord), line) in enumerate(zip(bars, melody)):
        at = index * 3 * beat
        mix.play(at, bass(root, 2.4 * beat), 0.42, room=0.15)
        last = index == len(bars) - 1
        for beats in () if last else (1, 2):
            for i, note in enumerate(chord):
                mix.play(at + beats * beat, pluck(note, 0.7), 0.24, pan=-0.3 + 0.6 * i, room=0.3)
        words = line.split()
        for note, length in zip(words[::2], words[1::2]):
            mix.play(at, bell(note), 0.46, pan=0.15, room=0.5)
            at += float(length) * beat
    return mix


def last_bus_home():
    """A swung beat, an electric piano, a walking bass and the dust of a record."""
    beat, swing = 60 / 82, 0.1
    bars = [
        (("D2", "F2", "A2", "C3"), ("F3", "A3", "C4", "E4")), (("G2", "D2", "F2", "B2"), ("F3", "A3", "B3", "E4")),
        (("C2", "E2", "G2", "B2"), ("E3", "G3", "B3", "D4")), (("A2", "E2", "G2", "C#3"), ("G3", "Bb3", "C#4", "E4")),
    ] * 2
    mix = Mix(len(bars) * 4 * beat + 1.8)
    for index, (roots, chord) in enumerate(bars):
        bar = index * 4 * beat
        for at, length in ((0, 1.4), (1.5 + swing, 2.2)):
            for i, note in enumerate(chord):
                mix.play(bar + at * beat, electric_piano(note, length * beat), 0.15, pan=(i - 1.5) * 0.25, room=0.3)
        for at, note, length in zip((0, 1.5 + swing, 2, 3.5 + swing), roots, (1.3, 0.4, 1.3, 0.4)):
            mix.play(bar + at * beat, bass(note, length * beat), 0.5, room=0.05)
        if index == 0:
            continue
        for at in (0, 1.75, 2.5 + swing):
            mix.play(bar + at * beat, kick(), 0.75, room=0.05)
        for at in (1, 3):
            mix.play(bar + at * beat, snare(), 0.32, pan=0.05, room=0.3)
        for i in range(8):
            late = swing * (i % 2)
            mix.play(bar + (i / 2 + late) * beat, hat(0.14 if i == 7 else 0.08), 0.1 - 0.04 * (i % 2), pan=0.35)
    melody = [
        (8, "E5", 1), (9, "D5", 0.5), (9.6, "B4", 1.4), (12, "C#5", 0.6), (12.6, "E5", 0.4), (13, "G5", 2),
        (16, "F5", 1), (17, "E5", 0.6), (17.6, "C5", 1.4), (20, "B4", 0.6), (20.6, "D5", 0.4), (21, "E5", 2),
        (24, "G5", 1), (25, "E5", 0.6), (25.6, "D5", 0.4), (26, "B4", 2), (28, "A4", 3),
    ]
    for at, note, beats in melody:
        mix.play(at * beat, bell(note, 1.8), 0.22, pan=-0.25, room=0.5)
    end = len(bars) * 4 * beat
    mix.play(end, bass("D2", 1.6), 0.5)
    for i, note in enumerate(("F3", "A3", "C4", "E4")):
        mix.play(end, electric_piano(note, 1.7), 0.16, pan=(i - 1.5) * 0.25, room=0.4)
    return dust(mix)


def dust(mix):
    """The crackle and the breath of an old record."""
    generator, seconds = random.Random(3), mix.length / 44100
    mix.play(0, low_pass(noise(seconds, 5), 2500), 0.006, room=0)
    for _ in range(int(seconds * 7)):
        click = low_pass([generator.uniform(-1, 1) for _ in range(60)], 6000)
        mix.play(generator.uniform(0, seconds), click, generator.uniform(0.01, 0.06), generator.uniform(-0.8, 0.8), 0)
    return mix
