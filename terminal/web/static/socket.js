// The carrier: a WebSocket that is opened again whenever it is lost (F9, F16 to F18).

const FIRST_MS = 500;
const LONGEST_MS = 10000;
const FAILURES_WAIT_MS = 61000;
const STEADY_MS = 5000;

/** Codes after which only a person can say that it is to be tried again. */
const FINAL = { 4001: "replaced", 4403: "refused", 4404: "unknown" };
const TOO_MANY_FAILURES = 4429;

export class Carrier {
  #socket = null;

  #timer = null;

  #wait = FIRST_MS;

  #openedAt = 0;

  #isStopped = false;

  /**
   * @param url of the WebSocket
   * @param user is told opened(), received(bytes), told(text), lost(), endedBy(why)
   */
  constructor(url, user) {
    this.url = url;
    this.user = user;
    window.addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#hurry();
    });
  }

  /** Open it, and again until `stop`. */
  open() {
    this.#isStopped = false;
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.url, ["bidwire.1"]);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      this.#openedAt = performance.now();
      this.user.opened();
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.user.told(data);
      else this.user.received(new Uint8Array(data));
    };
    socket.onclose = ({ code }) => this.#closed(socket, code);
  }

  /** Send bytes; without a connection they are dropped. */
  send(bytes) {
    if (bytes.length && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** Nothing comes any more: leave this connection to itself and open another. */
  again() {
    const socket = this.#socket;
    if (socket === null || this.#isStopped) return;
    this.#socket = null;
    socket.close(); // which takes its time when the far side is gone
    this.user.lost();
    this.open();
  }

  /** Close it for good. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #closed(socket, code) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.user.lost();
    if (this.#isStopped) return;
    if (FINAL[code]) {
      this.#isStopped = true;
      this.user.endedBy(FINAL[code]);
      return;
    }
    if (this.#openedAt && performance.now() - this.#openedAt > STEADY_MS) this.#wait = FIRST_MS;
    this.#openedAt = 0;
    const most = code === TOO_MANY_FAILURES ? FAILURES_WAIT_MS : this.#wait;
    const least = code === TOO_MANY_FAILURES ? FAILURES_WAIT_MS : 0;
    this.#timer = setTimeout(() => this.open(), Math.max(least, most * Math.random()));
    this.#wait = Math.min(this.#wait * 2, LONGEST_MS);
    if (code === TOO_MANY_FAILURES) this.user.endedBy("failures");
  }

  /** The network is back, or the page is looked at again: do not wait any longer. */
  #hurry() {
    if (this.#socket !== null || this.#isStopped || this.#timer === null) return;
    this.#wait = FIRST_MS;
    this.open();
  }
}
