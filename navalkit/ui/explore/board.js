// A small board of cells to click through their marks: a deck to click cards away, a map to scratch; or a map of two
// sliders, where a click goes to its cell. Python keeps the marks.
export default {
  render({ model, el }) {
    const gone = new AbortController();
    const { signal } = gone;
    let buttons = new Map();

    const build = () => {
      buttons = new Map();
      const board = document.createElement("div");
      board.className = "nk-explore-marks-board";
      board.dataset.kind = model.get("kind");
      board.setAttribute("role", "group");
      board.setAttribute("aria-label", model.get("label"));
      for (const row of model.get("rows")) {
        const line = document.createElement("div");
        line.className = "nk-explore-marks-row";
        for (const { id, label, name, tone } of row) {
          if (!id) { // what a column or a row of a map is
            const head = document.createElement("span");
            head.textContent = label;
            line.append(head);
            continue;
          }
          const button = document.createElement("button");
          button.type = "button";
          button.dataset.cell = id;
          if (tone) button.dataset.tone = tone;
          button.dataset.name = name;
          button.dataset.label = label;
          button.tabIndex = buttons.size ? -1 : 0;
          buttons.set(id, button);
          line.append(button);
        }
        board.append(line);
      }
      const at = document.activeElement?.dataset?.cell, held = el.contains(document.activeElement);
      el.replaceChildren(board);
      paint();
      if (held && buttons.has(at)) buttons.get(at).focus();
    };

    const paint = () => {
      const levels = model.get("levels"), marks = model.get("marks"), notes = model.get("notes");
      for (const [id, button] of buttons) {
        const level = levels[id] ?? 0, note = notes[id];
        if (model.get("kind") === "heat") {
          button.textContent = note?.[0] ?? "";
          button.dataset.heat = note?.[1] ?? "";
          button.title = `${button.dataset.name}: ${note?.[2] ?? "–"}`;
          button.setAttribute("aria-label", button.title);
          if (button.dataset.tone) button.setAttribute("aria-current", "true");
          continue;
        }
        const [sign, word] = marks[level];
        const shown = model.get("kind") === "map" ? (level ? sign : note ? note[0] : "") : button.dataset.label;
        button.replaceChildren(...[shown, model.get("kind") === "pile" && level ? ` ×${level}` : ""].filter(Boolean));
        if (model.get("kind") === "map") {
          const corner = document.createElement("small");
          corner.textContent = button.dataset.label;
          button.prepend(corner);
        }
        button.dataset.level = level;
        button.dataset.heat = !level && note ? note[1] : "";
        button.setAttribute("aria-pressed", String(level > 0));
        const said = `${button.dataset.name}: ${word}${!level && note ? `, ${note[0]} %` : ""}`;
        button.setAttribute("aria-label", said);
        button.title = said;
      }
    };

    const turn = (button, by) => model.send({ event: "mark", cell: button.dataset.cell, by });
    el.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) turn(button, event.shiftKey ? -1 : 1);
    }, { signal });
    el.addEventListener("contextmenu", (event) => {
      const button = event.target.closest("button");
      if (button) event.preventDefault(), turn(button, -1);
    }, { signal });
    el.addEventListener("keydown", (event) => {
      const rows = [...el.querySelectorAll(".nk-explore-marks-row")].map((row) => [...row.querySelectorAll("button")]);
      const r = rows.findIndex((row) => row.includes(document.activeElement));
      if (r < 0) return;
      const c = rows[r].indexOf(document.activeElement);
      const [dr, dc] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
      const next = rows[r + dr] && (rows[r + dr][c + dc] ?? (dr && rows[r + dr].at(-1)));
      if (!(dr || dc) || !next) return;
      event.preventDefault();
      event.stopPropagation();
      document.activeElement.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }, { signal });

    model.on("change:rows", build);
    model.on("change:levels", paint);
    model.on("change:notes", paint);
    build();
    return () => gone.abort();
  },
};
