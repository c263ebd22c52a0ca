// The page of the terminal. textual.js draws and opens one WebSocket; the class below takes its place and reconnects.
"use strict";
(() => {
  const MIN_COLUMNS = 60, CELL_PX = [5, 9], ADVANCE = 0.602; // width of a sign, in parts of the size of the font
  const ENDED = 4000, LOGIN = 4401, REFUSED = 4403, ELSEWHERE = 4409;
  const PING_MS = 10000, RETRY_MS = [250, 2000];
  const RealSocket = window.WebSocket;
  const terminal = document.getElementById("terminal"), bar = document.getElementById("bar");
  const notice = document.getElementById("notice");

  function show(text, label, act) {
    const button = notice.querySelector("button");
    notice.querySelector("p").textContent = text;
    button.hidden = !label;
    button.textContent = label || "";
    button.onclick = act || null;
    notice.hidden = !text;
    if (label) button.focus();
  }

  // The client asks for a notification with OSC 9, sets the title with OSC 2 and copies with OSC 52. xterm.js does nothing of it.
  const OSC = /\x1b\](?:(9;paxtui: |2;)([^\x1b\x07]{0,300})|52;c;([A-Za-z0-9+/=]*))(?:\x1b\\|\x07)/g;
  const MAX_OSC = 400, MAX_COPY = 200000, OFFER_MS = 15000;
  const decoder = new TextDecoder();
  let unfinished = "", missed = "";

  function readTitleAndAlerts(data) {
    const text = unfinished + decoder.decode(data, { stream: true });
    for (const [, kind, words, copied] of text.matchAll(OSC)) {
      if (copied !== undefined) copy(copied);
      else if (kind === "2;") document.title = words;
      else alertPlayer(words);
    }
    const begun = text.lastIndexOf("\x1b]");
    const most = text.startsWith("\x1b]52;", begun) ? MAX_COPY : MAX_OSC;
    const isOpen = begun >= 0 && text.length - begun < most && !/\x07|\x1b\\/.test(text.slice(begun + 2));
    unfinished = isOpen ? text.slice(begun) : text.endsWith("\x1b") ? "\x1b" : "";
  }

  function copy(base64) {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    navigator.clipboard?.writeText(new TextDecoder().decode(bytes)).catch(() => {}); // a browser allows it only over https
  }

  function alertPlayer(words) {
    if (!window.Notification) return;
    if (Notification.permission === "default") missed = words;
    if (Notification.permission !== "granted") return;
    try {
      const shown = new Notification("Pax Britannica", { body: words, tag: "paxtui", icon: "/static/icon.svg" });
      shown.onclick = () => { window.focus(); shown.close(); focusTerminal(); };
    } catch { /* phones allow it only to installed pages; the title of the page says it */ }
  }

  // A player who missed an alert is offered notifications, once.
  function offerNotifications() {
    if (!missed || localStorage.getItem("offered")) return;
    localStorage.setItem("offered", "yes");
    const hide = () => { clearTimeout(timer); show(""); focusTerminal(); };
    const timer = setTimeout(hide, OFFER_MS);
    show(`While you were away: ${missed}`, "Notify me next time", () => { Notification.requestPermission(); hide(); });
    missed = "";
    focusTerminal();
  }
  window.addEventListener("focus", offerNotifications);

  class ReconnectingSocket {
    constructor(url) {
      const wanted = new URL(url, location.href).searchParams;
      this.size = { width: wanted.get("width"), height: wanted.get("height") };
      this.listeners = { open: [], message: [], close: [] };
      this.received = -1;
      this.retry = RETRY_MS[0];
      ReconnectingSocket.current = this;
      window.addEventListener("online", () => this.reconnectNow());
      document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
      setInterval(() => this.ping(), PING_MS);
      this.connect();
    }

    addEventListener(type, listener) { this.listeners[type].push(listener); }

    tell(type, event) { for (const listener of this.listeners[type]) listener(event); }

    connect() {
      const url = new URL("/ws", location.href);
      url.protocol = url.protocol.replace("http", "ws");
      for (const [name, value] of Object.entries(this.size)) url.searchParams.set(name, value);
      const id = sessionStorage.getItem("terminal");
      if (id) {
        url.searchParams.set("terminal", id);
        url.searchParams.set("received", this.received);
      }
      const socket = this.socket = new RealSocket(url);
      socket.binaryType = "arraybuffer";
      this.unanswered = 0;
      socket.onmessage = (event) => socket === this.socket && this.hear(event);
      socket.onclose = (event) => socket === this.socket && this.lost(event);
    }

    hear(event) {
      this.unanswered = 0;
      if (typeof event.data !== "string") {
        this.received += event.data.byteLength;
        readTitleAndAlerts(event.data);
        this.tell("message", event);
        return;
      }
      const [kind, id, received] = JSON.parse(event.data);
      if (kind !== "terminal") return;
      sessionStorage.setItem("terminal", id);
      this.received = received;
      this.retry = RETRY_MS[0];
      this.ready = true;
      show("");
      this.tell("open", {});
    }

    lost(event) {
      this.ready = false;
      if (event.code === LOGIN) location.assign("/join");
      else if (event.code === ENDED) this.stop("You have left the game.", "Play on");
      else if (event.code === ELSEWHERE) this.stop("This game is open in another window.", "Play here");
      else if (event.code === REFUSED) this.stop(event.reason || "The server refuses the connection.", "Try again");
      else {
        show("Connection lost. Reconnecting...");
        this.timer = setTimeout(() => this.connect(), this.retry);
        this.retry = Math.min(this.retry * 2, RETRY_MS[1]);
      }
    }

    stop(text, label) {
      this.stopped = true;
      show(text, label, () => { this.stopped = false; show(""); this.connect(); focusTerminal(); });
    }

    reconnectNow() {
      if (this.ready || this.stopped || this.socket.readyState === RealSocket.CONNECTING) return;
      clearTimeout(this.timer);
      this.connect();
    }

    // A lost network closes no connection: a server that does not answer two pings is gone.
    ping() {
      if (!this.ready) return;
      if (this.unanswered >= 2) {
        const socket = this.socket;
        this.socket = null;
        socket.close();
        this.lost({ code: 0 });
        return;
      }
      this.unanswered += 1;
      this.send(JSON.stringify(["ping", String(Date.now())]));
    }

    send(text) {
      const [kind, about] = JSON.parse(text);
      if (kind === "resize") this.size = about;
      if (this.ready && this.socket.readyState === RealSocket.OPEN) this.socket.send(text);
    }
  }
  window.WebSocket = ReconnectingSocket;

  function type(text) {
    const socket = ReconnectingSocket.current;
    if (socket) socket.send(JSON.stringify(["stdin", text]));
  }

  function focusTerminal() {
    const field = document.querySelector(".xterm-helper-textarea");
    if (field) field.focus();
  }

  // Ten keys for phones.
  const KEYS = [
    ["Esc", "\x1b", "Escape"], ["\u23ce", "\r", "Enter"], ["\u2190", "\x1b[D", "Left"], ["\u2191", "\x1b[A", "Up"],
    ["\u2193", "\x1b[B", "Down"], ["\u2192", "\x1b[C", "Right"], ["z", "z", "Zoom"], ["r", "r", "Ready"],
    ["n", "n", "What waits for you"], ["\u2328", "", "Keyboard"],
  ];
  for (const [label, keys, name] of KEYS) {
    const button = document.createElement("button");
    button.textContent = label;
    button.setAttribute("aria-label", name);
    button.tabIndex = -1;
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the keyboard stays as it is
    button.addEventListener("click", () => (keys ? type(keys) : focusTerminal()));
    bar.append(button);
  }
  bar.hidden = !matchMedia("(pointer: coarse)").matches;

  // A finger that moves on the screen turns the wheel, so that lists and the map move with it.
  const SWIPE_PX = 8, WHEEL_CELLS = { x: 4, y: 2 }; // cells that one turn of the wheel moves the map
  const LEFT = 66, RIGHT = 67, UP = 64, DOWN = 65;
  let finger = null;

  function turnWheel(now) {
    const screen = document.querySelector(".xterm-screen"), { width, height } = ReconnectingSocket.current.size;
    const box = screen.getBoundingClientRect(), cell = { x: box.width / width, y: box.height / height };
    const at = `${Math.floor((finger.begin.x - box.left) / cell.x) + 1};${Math.floor((finger.begin.y - box.top) / cell.y) + 1}M`;
    let turns = "";
    for (const [axis, back, forth] of [["x", LEFT, RIGHT], ["y", UP, DOWN]]) {
      const step = WHEEL_CELLS[axis] * cell[axis], count = Math.trunc((now[axis] - finger[axis]) / step);
      finger[axis] += count * step;
      turns += `\x1b[<${count > 0 ? back : forth};${at}`.repeat(Math.abs(count));
    }
    if (turns) type(turns);
  }

  terminal.addEventListener("touchstart", ({ touches: [{ clientX: x, clientY: y }, another] }) => {
    finger = another ? null : { x, y, begin: { x, y }, isSwiping: false };
  }, { capture: true, passive: true });
  terminal.addEventListener("touchmove", (event) => {
    const { clientX: x, clientY: y } = event.touches[0];
    if (!finger || (!finger.isSwiping && Math.hypot(x - finger.x, y - finger.y) < SWIPE_PX)) return;
    finger.isSwiping = true;
    event.preventDefault(); // no tap, and the page stays where it is
    event.stopPropagation();
    turnWheel({ x, y });
  }, { capture: true, passive: false });

  // Sixty columns fit on a phone. A cell is a whole number of pixels of the screen wide, so that no gap remains.
  const dots = window.devicePixelRatio || 1;
  const cell = Math.floor(Math.min(CELL_PX[1], Math.max(CELL_PX[0], innerWidth / MIN_COLUMNS)) * dots) / dots;
  terminal.dataset.fontSize = String(Math.ceil(cell / ADVANCE * 20) / 20);

  // xterm.js gives its canvas the size that the browser reports in pixels of the screen. Emulated phones report pixels of the
  // page, so that a third of the map would fill the screen.
  const reported = Object.getOwnPropertyDescriptor(ResizeObserverEntry.prototype, "devicePixelContentBoxSize");
  if (reported) Object.defineProperty(ResizeObserverEntry.prototype, "devicePixelContentBoxSize", {
    configurable: true,
    get() {
      const box = reported.get.call(this), { width, height } = this.contentRect;
      const isWrong = box[0] && Math.abs(box[0].inlineSize - width * devicePixelRatio) > 2;
      const [inlineSize, blockSize] = [width, height].map((size) => Math.round(size * devicePixelRatio));
      return isWrong ? [{ inlineSize, blockSize }] : box;
    },
  });

  // ctrl+V pastes and ctrl+shift+C copies the selection (shift and drag), as in other pages.
  window.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "v") event.stopImmediatePropagation();
    if (key === "c" && event.shiftKey) {
      event.preventDefault();
      event.stopImmediatePropagation();
      document.execCommand("copy");
    }
  }, true);
  window.addEventListener("load", () => setTimeout(focusTerminal));
})();
