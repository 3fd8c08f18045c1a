#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Composes the programme of `aircheck demo` and encodes it as MP3 files next to the target that embeds them.

Usage: scripts/demo-programme/generate.py [FOLDER]

Needs Python 3.9 or later (standard library alone) and ffmpeg with libmp3lame; takes about half a minute. The music is
computed, always the same, and under the project's licence. The files in git were made by this program: run it only to
change the music. All have one format, so that they follow each other in one stream.
"""

import pathlib
import subprocess
import sys
import tempfile

import pieces
from synth import write_wave

BIT_RATE = "96k"
PROGRAMME = [
    ("01-sign-on.mp3", "Sign On", "Aircheck", pieces.sign_on),
    ("02-first-light.mp3", "First Light", "Aircheck Ensemble", pieces.first_light),
    ("03-waltz.mp3", "Waltz for a Small Window", "Aircheck Ensemble", pieces.waltz),
    ("04-last-bus-home.mp3", "Last Bus Home", "Aircheck Night Band", pieces.last_bus_home),
]


def encode(wav, mp3, title, artist):
    subprocess.run(
        [
            "ffmpeg", "-v", "error", "-y", "-i", wav, "-map_metadata", "-1", "-fflags", "+bitexact",
            "-flags:a", "+bitexact", "-codec:a", "libmp3lame", "-b:a", BIT_RATE, "-joint_stereo", "1",
            "-write_xing", "0", "-id3v2_version", "3", "-metadata", f"title={title}", "-metadata", f"artist={artist}",
            "-metadata", "album=Aircheck demo programme", mp3,
        ],
        check=True)


def main():
    default = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "CDemoProgramme" / "music"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    folder.mkdir(parents=True, exist_ok=True)
    for name, title, artist, compose in PROGRAMME:
        with tempfile.TemporaryDirectory() as scratch:
            wav = pathlib.Path(scratch) / "piece.wav"
            write_wave(wav, compose().mastered())
            encode(wav, folder / name, title, artist)
        print(f"{name}: {artist} - {title}, {(folder / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
