// The key moments over the slider, a lane for each kind, and the keys that step.
const NEAR = 0.012; // share of the width within which a click means a mark
const KEYS = { ArrowRight: "forward", PageDown: "forward", ArrowLeft: "back", PageUp: "back", " ": "play", Home: "first", End: "last" };
const IN_CLASS = { ArrowUp: "up", ArrowDown: "down", i: "eyes" }; // besides, in front of a class
const NOTES_STYLE = "/* nk-notes: the teacher's own window. */ :root { color-scheme: light dark } body { font: 18px/1.45 system-ui, sans-serif; margin: 16px } .nk-notes-told { opacity: .6 } .nk-notes-move { font-weight: 700 }";
const PRESENTER = /^Page/; // what a presenter's remote sends: it always steps

export default {
  render({ model, el }) {
    const gone = new AbortController();
    el.classList.add("nk-step-moments");
    const lanes = document.createElement("div");
    lanes.setAttribute("role", "img");
    el.append(lanes);

    const share = (at) => `${(100 * at) / Math.max(1, model.get("last"))}%`;
    const draw = () => {
      const marks = model.get("marks");
      el.hidden = !marks.length && !model.get("single");
      const told = marks.map(([at, key, text]) => text).join("; ");
      lanes.setAttribute("aria-label", `${model.get("called")}. ${told}`);
      const single = model.get("single");
      const signs = new Map(model.get("lanes").map(([key, sign]) => [key, sign]));
      const grave = new Set(model.get("lanes").filter((lane) => lane[2]).map(([key]) => key));
      const kinds = single ? [["", ""]] : [...signs].filter(([key]) => marks.some((mark) => mark[1] === key));
      lanes.replaceChildren(...kinds.map(([key, sign]) => {
        const lane = document.createElement("div");
        lane.className = "nk-step-lane";
        lane.dataset.key = key;
        const name = document.createElement("span");
        name.className = "nk-step-lane-name";
        name.textContent = `${sign} ${key}`;
        const line = document.createElement("div");
        line.className = "nk-step-lane-line";
        line.append(...marks.filter((mark) => single || mark[1] === key).map(([at, kind, text]) => {
          const mark = document.createElement("i");
          mark.textContent = signs.get(kind);
          mark.dataset.key = kind;
          mark.toggleAttribute("data-grave", grave.has(kind));
          mark.title = text;
          mark.style.left = share(at);
          return mark;
        }));
        const now = document.createElement("b");
        now.style.left = share(model.get("at"));
        line.append(now);
        lane.append(name, line);
        return lane;
      }));
    };
    const move = () => {
      for (const now of lanes.querySelectorAll("b")) now.style.left = share(model.get("at"));
    };
    for (const name of ["lanes", "marks", "single"]) model.on(`change:${name}`, draw);
    model.on("change:at", move);
    draw();

    lanes.addEventListener("click", (event) => {
      const line = event.target.closest(".nk-step-lane")?.querySelector(".nk-step-lane-line");
      if (!line) return;
      const { left, width } = line.getBoundingClientRect();
      const where = (event.clientX - left) / width, last = model.get("last");
      const key = line.parentElement.dataset.key;
      const near = model.get("marks").filter((mark) => !key || mark[1] === key).map(([at]) => at)
        .sort((a, b) => Math.abs(a / last - where) - Math.abs(b / last - where))[0];
      const at = Math.abs(near / last - where) < NEAR ? near : Math.round(where * last);
      model.send({ event: "look", at: Math.max(0, Math.min(last, at)) });
    });

    // Keys step wherever they have no other use: not in a field, a list of tabs or a slider, and on the board only
    // as long as it was not reached by keys.
    let tabbed = false;
    const foreign = (event) => { // in a notebook the keys are those of its cells
      const cell = el.closest(".nk-cell");
      return !!cell && !cell.contains(event.target);
    };
    const keyed = (event) => {
      if (document.querySelector(".nk-wall")) return; // the class's screen has the keyboard
      if (foreign(event)) return;
      const step = KEYS[event.key] ?? (model.get("single") && IN_CLASS[event.key]), target = event.target;
      if (event.key === "Tab") tabbed = true;
      if (!step || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const used = target.closest?.("input, select, textarea, [role=tab], [role=tablist], [role=slider], .noUi-handle");
      const pressed = event.key === " " && target.closest?.("button, a, summary");
      const board = target instanceof HTMLCanvasElement && tabbed;
      if (used || pressed || (board && !PRESENTER.test(event.key))) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      model.send({ event: "key", step });
    };
    addEventListener("pointerdown", () => { tabbed = false; }, { signal: gone.signal, capture: true });
    addEventListener("keydown", keyed, { signal: gone.signal, capture: true });
    // In front of a class the board fills the room it has: Python is told how large that is.
    const room = new ResizeObserver(([{ target }]) => {
      const { clientWidth: width, clientHeight: height } = target;
      if (target.closest(".nk-step-projector") && width > 200 && height > 200) model.send({ event: "stage", width, height });
    });
    requestAnimationFrame(() => { // the board is in the document by then
      const board = (el.closest(".nk-step") ?? document.querySelector(".nk-step"))?.querySelector(".nk-board");
      if (board) room.observe(board);
    });
    // The browser gives its whole screen only at the press itself.
    addEventListener("click", (event) => {
      if (foreign(event) || !event.target.closest?.(".nk-key-large, .nk-key-leave")) return;
      if (document.fullscreenElement) document.exitFullscreen();
      else if (!model.get("single")) document.documentElement.requestFullscreen?.().catch(() => {});
    }, { signal: gone.signal });
    // The teacher's own window: notes and answers there, while this one is on the projector. Keys step in either.
    let mine = null;
    const write = () => {
      if (mine && !mine.closed) mine.document.body.innerHTML = model.get("notes");
    };
    model.on("change:notes", write);
    addEventListener("click", (event) => {
      const button = !foreign(event) && event.target.closest?.(".nk-key-notes");
      mine = button ? open("", "navalkit-notes", "popup,width=480,height=720") : mine;
      if (!button || !mine) return;
      const style = Object.assign(mine.document.createElement("style"), { textContent: NOTES_STYLE });
      mine.document.head.replaceChildren(style);
      mine.document.title = button.textContent;
      mine.onkeydown = keyed;
      model.send({ event: "notes" });
      write();
    }, { signal: gone.signal });
    return () => { gone.abort(); room.disconnect(); mine?.close(); };
  },
};
