// The lines of a decision as a list of buttons: pressing one lights up its evidence on the board.
export default {
  render({ model, el }) {
    el.classList.add("nk-lines-box");
    const list = document.createElement("ol");
    list.className = "nk-told";
    el.append(list);

    const span = (name, text) => Object.assign(document.createElement("span"), { className: name, textContent: text });
    const draw = () => {
      const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
      list.replaceChildren(...model.get("rows").map(({ kind, depth, rule, ask, text, title }, i) => {
        const item = document.createElement("li");
        item.className = `nk-told-${kind} nk-depth-${depth}`;
        const line = document.createElement("button");
        line.type = "button";
        line.append(span("nk-question", ask), " ", span("nk-answer", text), " ");
        if (rule) line.append(Object.assign(span("nk-rule", rule), { title }));
        line.addEventListener("click", () => model.send({ event: "line", line: i }));
        item.append(line);
        return item;
      }));
      list.children[focused]?.firstChild.focus();
      light();
    };
    const light = () => {
      const lit = model.get("lit");
      [...list.children].forEach((item, i) => {
        item.classList.toggle("nk-lit", i === lit);
        item.firstChild.setAttribute("aria-pressed", String(i === lit));
      });
      const item = list.children[lit];
      if (!item) return;
      const below = item.offsetTop + item.offsetHeight - el.clientHeight;
      if (item.offsetTop < el.scrollTop) el.scrollTop = item.offsetTop;
      else if (below > el.scrollTop) el.scrollTop = below;
    };
    model.on("change:rows", draw);
    model.on("change:lit", light);
    draw();
  },
};
