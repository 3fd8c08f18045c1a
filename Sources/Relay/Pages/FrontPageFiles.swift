// SPDX-License-Identifier: MIT

/// The style and the script of the page at `/`.
enum FrontPageFiles {
    static let style = """
        :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
        main, footer { max-width: 32rem; margin: 0 auto; padding: 1rem; }
        h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere; }
        section { margin: 1.5rem 0; }
        audio { width: 100%; margin: 0.5rem 0; }
        .title { margin: 0; min-height: 1.5em; overflow-wrap: anywhere; }
        .playlists, footer { font-size: 0.9rem; }
        .playlists a { margin-right: 0.75rem; }

        """

    /// Shows the title on the air, and after a pause plays the live edge instead of what the browser has buffered.
    static let script = """
        "use strict";
        const sections = [...document.querySelectorAll("section[data-path]")];

        function showTitles() {
          fetch("./status.json", { cache: "no-store" })
            .then((answer) => answer.json())
            .then((status) => {
              for (const section of sections) {
                const mount = status.mounts.find((mount) => mount.path === section.dataset.path);
                section.querySelector(".title").textContent = mount?.title ?? "";
              }
            })
            // The server may be restarting; the next round asks again.
            .catch(() => {});
        }

        for (const section of sections) {
          const audio = section.querySelector("audio");
          audio.addEventListener("pause", () => { audio.dataset.paused = "yes"; });
          audio.addEventListener("play", () => {
            if (audio.dataset.paused) {
              delete audio.dataset.paused;
              audio.load();
              audio.play();
            }
            for (const other of document.querySelectorAll("audio")) {
              if (other !== audio) other.pause();
            }
          });
        }

        if (sections.length > 0) setInterval(showTitles, 5000);

        """
}
