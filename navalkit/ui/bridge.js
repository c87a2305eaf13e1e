// The browser's half of navalkit.ui.bridge: address, storage, clipboard, downloads, theme, width, and a pulse.
const PREFIX = "navalkit:";
const LARGEST = 1 << 20; // bytes of a file; the server would refuse a larger one
const BEAT = 4000; // ms between two beats; three unanswered ones mean that the kernel is gone

// What the browser keeps under these keys; a "?" in a key stands for the page's query string.
const stored = (keys) => {
  const found = {};
  for (const key of keys) {
    try {
      const value = localStorage.getItem(PREFIX + key.replace("?", () => location.search));
      if (value !== null) found[key] = value;
    } catch { /* storage may be switched off: then nothing is remembered */ }
  }
  return found;
};

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // no clipboard without https or without leave: the old way
    const box = document.createElement("textarea");
    box.value = text;
    box.style.cssText = "position:fixed;opacity:0";
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}

function download(name, mime, data) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type: mime }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const themeNow = () =>
  document.documentElement.dataset.nkTheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export default {
  render({ model, el }) {
    el.style.display = "none";
    const send = (content, callbacks, buffers) => model.send(content, callbacks, buffers);
    const gone = new AbortController();
    const { signal } = gone;

    let missed = 0;
    model.on("msg:custom", async (message, buffers) => {
      if (message.do === "pong") {
        missed = 0;
      } else if (message.do === "store") {
        try {
          if (message.value === null) localStorage.removeItem(PREFIX + message.key);
          else localStorage.setItem(PREFIX + message.key, message.value);
        } catch { /* see above */ }
      } else if (message.do === "copy") {
        const text = message.link ? location.origin + location.pathname + message.text : message.text;
        send({ event: "copied", text, ok: await copy(text), what: message.what });
      } else if (message.do === "download") {
        download(message.name, message.mime, buffers[0]);
      }
    });

    const hello = () => {
      for (const status of document.querySelectorAll(".nk-status")) {
        status.setAttribute("role", "status");
        status.setAttribute("aria-live", "polite");
      }
      send({
        event: "hello",
        query: location.search,
        stored: stored(model.get("stored")),
        theme: themeNow(),
        width: innerWidth,
        header: !!document.getElementById("nk-theme"),
        calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
      });
    };
    addEventListener("navalkit:theme", (event) => send({ event: "theme", theme: event.detail }), { signal });
    // A file is opened at the click itself: browsers refuse a dialogue that comes later.
    addEventListener("click", (event) => {
      if (!event.target.closest?.(".nk-open-file")) return;
      const input = Object.assign(document.createElement("input"), { type: "file", accept: ".toml" });
      input.addEventListener("change", async () => {
        const file = input.files[0];
        if (!file) return;
        const data = file.size > LARGEST ? new ArrayBuffer(0) : await file.arrayBuffer();
        send({ event: "file", name: file.name, size: file.size }, undefined, [data]);
      });
      input.click();
    }, { signal });
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth !== width) send({ event: "width", width: (width = innerWidth) });
    }, { signal });

    const pulse = setInterval(() => {
      if (document.hidden) return;
      if (++missed > 3) dispatchEvent(new Event("navalkit:lost"));
      send({ event: "ping" });
    }, BEAT);

    requestAnimationFrame(hello); // the rest of the page is in the document by then
    return () => { gone.abort(); clearInterval(pulse); };
  },
};
