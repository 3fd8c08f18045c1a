// SPDX-License-Identifier: MIT

/// The script of the page at `/`.
///
/// It shows what each station sends, and keeps playing what the listener has started: after a restart, a cut, a full
/// relay or a fault of the decoder it connects again, less and less often, and says meanwhile what is wrong.
enum FrontPageScript {
    static let text = #"""
        "use strict";

        const pollEvery = 5000;
        // Without sound for so long, although it should be playing, the player connects again.
        const longestHang = 20000;

        class Player {
          constructor(section) {
            this.path = section.dataset.path;
            this.audio = section.querySelector("audio");
            this.title = section.querySelector(".title");
            this.line = section.querySelector(".state");
            this.isWanted = false;    // Whether the listener wants to hear the station.
            this.wasPaused = false;   // Whether the listener has paused it.
            this.tries = 0;           // How often it was tried in vain.
            this.timer = null;        // Waits for the next try.
            this.problem = "";
            this.place = 0;           // The last place of playback, and when it was new.
            this.movedAt = 0;
            this.audio.addEventListener("play", () => this.begin());
            this.audio.addEventListener("pause", () => this.pause());
            this.audio.addEventListener("playing", () => { this.problem = ""; this.show(); });
            this.audio.addEventListener("timeupdate", () => this.move());
            this.audio.addEventListener("error", () => this.fail());
            this.audio.addEventListener("ended", () => this.fail());
          }

          begin() {
            this.isWanted = true;
            this.movedAt = Date.now();
            this.cancel();
            for (const other of players) {
              if (other !== this) other.stop();
            }
            // After a pause the live edge is played instead of what the browser has buffered.
            if (this.wasPaused) this.connect();
          }

          // The browser pauses by itself where the audio ends or fails.
          pause() {
            if (this.audio.ended || this.audio.error) return;
            this.isWanted = false;
            this.wasPaused = true;
            this.problem = "";
            this.show();
          }

          stop() {
            this.isWanted = false;
            this.problem = "";
            this.cancel();
            this.audio.pause();
            this.show();
          }

          cancel() {
            clearTimeout(this.timer);
            this.timer = null;
          }

          connect() {
            this.cancel();
            this.wasPaused = false;
            this.place = 0;
            this.movedAt = Date.now();
            this.audio.load();
            // A failure comes as an event of its own; without permission to play, the listener has to press the button.
            this.audio.play().catch((error) => {
              if (error.name === "NotAllowedError") this.stop();
            });
          }

          move() {
            if (this.audio.currentTime === this.place) return;
            this.place = this.audio.currentTime;
            this.movedAt = Date.now();
            if (this.place > 10) this.tries = 0;
          }

          // Finds out what is wrong, and tries again later.
          fail() {
            if (this.timer !== null) return;
            const isFormat = this.audio.error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED;
            // Without this, the button stays dead.
            this.audio.load();
            this.wasPaused = false;
            if (!this.isWanted) return;
            const wait = Math.min(30, 2 ** this.tries) * (0.75 + Math.random() / 2);
            this.tries = Math.min(this.tries + 1, 8);
            const timer = this.timer = setTimeout(() => this.retry(), 1000 * wait);
            this.diagnose(isFormat).then((problem) => {
              if (this.timer !== timer) return;
              this.problem = problem;
              this.show();
            });
          }

          retry() {
            this.timer = null;
            if (this.isWanted) this.connect();
          }

          // A promise of the words for what is wrong; none where the state says it.
          diagnose(isFormat) {
            return poll().then(() => {
              if (!status) return "";
              if (!this.mount) return "This station is no longer relayed here.";
              if (this.isAway()) return "";
              return fetch("." + this.path, { method: "HEAD", cache: "no-store" })
                .then((answer) => this.words(answer, isFormat), () => "");
            });
          }

          words(answer, isFormat) {
            if (answer.status === 401 || answer.status === 403) return "You are not permitted to listen.";
            if (answer.status === 503) return "There is no room for another listener, or no audio yet. Trying again.";
            if (!answer.ok) return `The relay answers ${answer.status}. Trying again.`;
            const type = this.mount.content_type;
            if (isFormat && type && this.audio.canPlayType(type) === "") {
              this.isWanted = false;
              return `This browser cannot play ${type}.`;
            }
            return "The connection has ended. Trying again.";
          }

          // Whether there is nothing to hear, and asking for it brings nothing.
          isAway() {
            return !this.mount || (this.mount.state === "off" && !this.mount.on_demand);
          }

          // Called now and then: connects again where nothing is heard, or where the station is back.
          check() {
            if (!this.isWanted) return;
            const isAway = this.isAway();
            if (this.timer !== null) {
              if (this.wasAway && !isAway) this.connect();
            } else if (Date.now() - this.movedAt > longestHang) {
              this.fail();
            }
            this.wasAway = isAway;
          }

          show() {
            this.title.textContent = this.mount?.title ?? "";
            this.line.textContent = this.problem || this.state();
          }

          state() {
            if (!status) return "Aircheck does not answer." + this.again();
            if (!this.mount) return "";
            const since = new Date(this.mount.since);
            const isOld = Date.now() - since > 20 * 3600 * 1000;
            const time = since.toLocaleString([], { ...(isOld && { dateStyle: "medium" }), timeStyle: "short" });
            switch (this.mount.state) {
              case "silence": return `The station has been away since ${time}. Until it is back, there is silence.`;
              case "fallback": return `The station has been away since ${time}. Until it is back, something else is played.`;
              case "off":
                return this.mount.on_demand ? "It starts when somebody listens."
                  : `Not on the air since ${time}.` + this.again();
              default: return "";
            }
          }

          again() {
            return this.isWanted ? " It will be played as soon as it is back." : "";
          }
        }

        // The state of the relay as it says it; null while it does not answer.
        let status = null;
        const players = [...document.querySelectorAll("section[data-path]")].map((section) => new Player(section));

        function poll() {
          return fetch("./status.json", { cache: "no-store" })
            .then((answer) => answer.ok ? answer.json() : null)
            .catch(() => null)
            .then((answer) => {
              status = answer;
              for (const player of players) {
                player.mount = status?.mounts.find((mount) => mount.path === player.path);
                player.show();
              }
            });
        }

        // A page that nobody sees does not ask. If it plays, it still notices when nothing is heard.
        function tick() {
          const asked = document.hidden ? Promise.resolve() : poll();
          asked.then(() => { for (const player of players) player.check(); });
        }

        if (players.length > 0) {
          tick();
          setInterval(tick, pollEvery);
          document.addEventListener("visibilitychange", tick);
        }

        """#
}
