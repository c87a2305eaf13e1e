// The explorer before a class. Python draws the picture, the columns and the words; here a slider's thumb and words move
// at once, and the places say how large they are.
const HOLD = 600; // ms after a press in which a thumb stays where the hand put it, whatever an older answer says

const LONG = 16; // letters of a value that have no room beside the slider's name

export default {
  render({ model, el }) {
    const gone = new AbortController();
    const { signal } = gone;
    const made = (tag, name, text = "") => {
      const it = document.createElement(tag);
      it.className = name;
      it.textContent = text;
      return it;
    };
    const root = made("div", "nk-lectern-all");
    const title = made("h2", "nk-lectern-title"), code = made("b", "nk-lectern-code");
    const picture = made("div", "nk-lectern-picture"), columns = made("div", "nk-lectern-columns"), sliders = made("div", "nk-lectern-sliders");
    const card = made("div", "nk-lectern-card"), head = made("p", "nk-lectern-head"), big = made("p", "nk-lectern-big"), sub = made("p", "nk-lectern-sub"), refused = made("p", "nk-lectern-refused");
    const dots = made("div", "nk-lectern-dots"), legend = made("ol", "nk-lectern-legend");
    card.setAttribute("role", "status");
    card.append(head, big, sub, refused, dots, legend);
    root.append(title, code, picture, card, columns, sliders);
    el.replaceChildren(root);

    const draw = (place, key) => () => { place.innerHTML = model.get(key); };
    const write = () => {
      const told = model.get("told");
      title.textContent = told.title ?? "";
      code.textContent = told.code ?? "";
      refused.textContent = told.refused ?? "";
      root.classList.toggle("nk-lectern-late", Boolean(told.late));
      if (told.late) return; // the last number stays, pale
      head.textContent = told.head ?? "";
      big.textContent = told.big ?? "";
      big.classList.toggle("nk-lectern-wide", big.textContent.length > 8);
      sub.textContent = told.sub ?? "";
      legend.replaceChildren(...(told.lines ?? []).map(({ n, value, said }) => {
        const line = made("li", "nk-lectern-pinned");
        line.dataset.n = n;
        const what = made("span", "nk-lectern-what", said);
        line.append(made("i", "nk-lectern-dash"), made("b", "nk-lectern-value", value), what);
        return line;
      }));
    };

    let rows = new Map(); // name -> its parts
    let wanted = null; // the last move that Python has not been told of
    const tell = () => {
      if (wanted) model.send({ event: "slide", ...wanted });
      wanted = null;
    };
    const build = () => {
      rows = new Map();
      sliders.replaceChildren(...model.get("sliders").map((each) => {
        const row = made("label", "nk-lectern-slider"), label = made("span", "nk-lectern-label", each.label), value = made("b", "nk-lectern-value");
        const input = made("input", "nk-lectern-input"), ends = made("span", "nk-lectern-ends"), note = made("span", "nk-lectern-note");
        row.dataset.name = each.name;
        row.classList.toggle("nk-lectern-long", each.values.some((value) => value.length > LONG));
        Object.assign(input, { type: "range", min: 0, max: each.values.length - 1, step: 1 });
        ends.append(made("span", "nk-lectern-low", each.values[0]), made("span", "nk-lectern-high", each.values.at(-1)));
        row.append(label, value, input, ends, note);
        const parts = { each, input, value, note, pressed: -HOLD };
        input.addEventListener("input", () => {
          parts.pressed = performance.now();
          say(parts, +input.value);
          if (!wanted) requestAnimationFrame(tell);
          wanted = { name: each.name, index: +input.value };
        }, { signal });
        rows.set(each.name, parts);
        return row;
      }));
    };
    const say = ({ each, input, value }, index) => {
      value.textContent = each.values[index];
      input.setAttribute("aria-valuetext", each.values[index]);
      input.style.setProperty("--share", index / Math.max(each.values.length - 1, 1));
    };
    const slide = () => {
      const now = model.get("sliders");
      const same = now.length === rows.size && now.every((each) => {
        const known = rows.get(each.name)?.each;
        return known && JSON.stringify(known.values) === JSON.stringify(each.values) && known.label === each.label;
      });
      if (!same) build();
      for (const each of now) {
        const parts = rows.get(each.name);
        parts.each = each;
        parts.input.disabled = each.locked;
        parts.note.textContent = each.note;
        if (performance.now() - parts.pressed > HOLD) parts.input.value = each.index;
        say(parts, +parts.input.value);
        clearTimeout(parts.late);
        parts.late = setTimeout(() => { parts.input.value = parts.each.index; say(parts, parts.each.index); }, HOLD + 50);
      }
    };

    // The browser gives its whole screen only at the press itself.
    addEventListener("click", (event) => {
      const cell = el.closest(".nk-cell");
      if ((cell && !cell.contains(event.target)) || !event.target.closest?.(".nk-key-button-class, .nk-key-button-leave")) return;
      if (document.fullscreenElement) document.exitFullscreen();
      else if (event.target.closest(".nk-key-button-class")) document.documentElement.requestFullscreen?.().catch(() => {});
    }, { signal });

    const places = { picture, columns, guesses: dots };
    let said = "";
    const measure = () => {
      el.closest(".nk-explore")?.style.setProperty("--foot", `${sliders.clientHeight}px`); // a map ends where they begin
      const scale = parseFloat(getComputedStyle(root).getPropertyValue("--nk-scale")) || 1;
      const found = Object.fromEntries(Object.entries(places).map(([name, it]) =>
        [name, [it.clientWidth / scale, it.clientHeight / scale].map(Math.round)]));
      const now = JSON.stringify(found);
      if (now === said || !found.picture[0]) return;
      said = now;
      model.send({ event: "room", ...found });
    };
    const room = new ResizeObserver(() => requestAnimationFrame(measure));
    [...Object.values(places), sliders].forEach((it) => room.observe(it));

    const hears = { told: write, sliders: slide, picture: draw(picture, "picture"), columns: draw(columns, "columns"),
      guesses: draw(dots, "guesses") };
    for (const [key, call] of Object.entries(hears)) {
      model.on(`change:${key}`, call);
      call();
    }
    return () => { gone.abort(); room.disconnect(); };
  },
};
