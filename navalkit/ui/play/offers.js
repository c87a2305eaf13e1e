// The cards of a new game as buttons: a map, a title, and lines about it.
export default {
  render({ model, el }) {
    el.classList.add("nk-play-offers");
    const made = [];
    const card = (n) => {
      const each = Object.assign(document.createElement("button"), { type: "button", className: "jupyter-button nk-play-offer" });
      each.append(Object.assign(document.createElement("img"), { alt: "", hidden: true }));
      each.addEventListener("click", () => {
        try { model.send({ event: "choose", n }); } catch { /* the connection's notice says so */ }
      });
      return each;
    };
    const say = () => {
      const rows = model.get("rows");
      while (made.length < rows.length) el.append(made[made.push(card(made.length)) - 1]);
      rows.forEach((lines, n) => made[n].replaceChildren(made[n].firstChild, ...lines.map((line, at) =>
        Object.assign(document.createElement(at ? "span" : "b"), { textContent: line }))));
    };
    const draw = () => made.forEach((each, n) => {
      const map = model.get("maps")[n], image = each.firstChild;
      image.hidden = !map;
      if (map && image.dataset.map !== map) image.src = `data:image/svg+xml,${encodeURIComponent(image.dataset.map = map)}`;
    });
    const mark = () => made.forEach((each, n) => {
      each.classList.toggle("nk-play-chosen", n === model.get("chosen"));
      each.setAttribute("aria-pressed", n === model.get("chosen"));
    });
    model.on("change:rows", () => { say(); draw(); mark(); });
    model.on("change:maps", draw);
    model.on("change:chosen", mark);
    say(); draw(); mark();
  },
};
