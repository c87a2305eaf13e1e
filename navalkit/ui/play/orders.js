// The orders as buttons. Buttons are kept and only said anew, so that the focus stays where it is. A press gives what stood
// on the button that was pressed, and nothing else: the page's journal (bridge.js) takes it.
const LONG = 26; // signs that have not room beside two others on a phone
const PERCENT = /(\d+(?:[.,]\d+)?)\s*%/; // odds as they are written, for the bar under them

export default {
  render({ model, el }) {
    el.classList.add("nk-play-order-buttons");
    const made = [], note = Object.assign(document.createElement("p"), { className: "nk-play-none" });
    const cards = Object.assign(document.createElement("p"), { className: "nk-play-none nk-play-cards" }); // a phone's
    const button = (n) => {
      const each = document.createElement("button");
      each.type = "button";
      each.append(...["", "nk-play-odds"].map((name) => Object.assign(document.createElement("span"), { className: name })), document.createElement("i"));
      each.addEventListener("click", () => {
        const page = el.closest(".nk-cell") ?? window; // a page in a notebook has a bridge of its own
        page.dispatchEvent(new CustomEvent("navalkit:order", { detail: { give: model.get("rows")[n][5] }, bubbles: true, cancelable: true }));
      });
      return each;
    };
    const draw = () => {
      const rows = model.get("rows"), hinted = model.get("hinted");
      while (made.length < rows.length) made.push(button(made.length));
      rows.forEach(([label, odds, help, group, primary, , onBoard], n) => {
        const each = made[n], [said, chance, bar] = each.children, share = PERCENT.exec(odds);
        const name = ["jupyter-button nk-play-order-button", primary && "nk-primary", n === hinted && "nk-play-hinted", each.classList.contains("nk-pressed") && "nk-pressed"];
        each.className = name.filter(Boolean).join(" ");
        each.dataset.group = group;
        each.toggleAttribute("data-board", onBoard);
        each.toggleAttribute("data-long", label.length + odds.length > LONG);
        each.title = help;
        said.textContent = label;
        chance.textContent = odds;
        bar.style.setProperty("--share", share ? Number(share[1].replace(",", ".")) / 100 : 0);
        bar.hidden = !share;
      });
      const shown = made.slice(0, rows.length);
      note.textContent = model.get("note");
      if (note.textContent && !shown.length) shown.push(note);
      const thumbs = rows.filter((row, n) => !row[6] || row[4] || n === hinted).length; // those that a phone shows
      const all = !thumbs, unasked = rows.filter((row, n) => n !== hinted && (!row[6] || row[4])).length;
      el.toggleAttribute("data-many", thumbs > 4);
      el.toggleAttribute("data-two", unasked > 2); // a hint that adds one moves nothing: there is room for it
      cards.textContent = model.get("cards");
      if (shown.length && shown[0] !== note && all) shown.push(cards);
      for (const each of [...el.children]) if (!shown.includes(each)) each.remove();
      shown.forEach((each, n) => { if (el.children[n] !== each) el.insertBefore(each, el.children[n] ?? null); });
    };
    const further = () => { // a row on a phone fades at its right edge while there is more of it
      const row = el.closest(".nk-play-orders") ?? el;
      row.classList.toggle("nk-play-further", row.scrollLeft + row.clientWidth < row.scrollWidth - 8);
    };
    let due = 0; // it asks for a layout: in the frame, which needs one anyway
    const later = () => { due ||= requestAnimationFrame(() => { due = 0; further(); }); };
    const watch = new ResizeObserver(further), change = () => { draw(); later(); };
    requestAnimationFrame(() => { // it stands on the page now
      el.closest(".nk-play-orders")?.addEventListener("scroll", further, { passive: true });
      watch.observe(el);
    });
    model.on("change:rows change:hinted change:note change:cards", change);
    draw();
    return () => watch.disconnect();
  },
};
