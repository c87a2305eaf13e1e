// The lines of a decision: pressing one lights up its evidence; its rule, its terms and its parts unfold under it.
// In front of a class one line stands alone, as large as its room allows, with the next question and what she does.
// How large type may be, the first that fits: all together down to 0.82, then the rule, then all once more.
const SMALLER = [[1, 1], [0.96, 1], [0.92, 1], [0.88, 1], [0.85, 1], [0.82, 1], [0.82, 0.95], [0.8, 0.9], [0.8, 0.85],
  [0.8, 0.8], [0.75, 0.75], [0.7, 0.7], [0.6, 0.7], [0.5, 0.7]];
const SMALL = matchMedia("(max-width: 899px)"); // there a rule unfolds at a tap alone
const UPRIGHT = matchMedia("(max-width: 899px) and (orientation: portrait)");

export default {
  render({ model, el }) {
    const gone = new AbortController();
    el.classList.add("nk-step-lines-box");
    const make = (tag, name, text = "") => Object.assign(document.createElement(tag), { className: name, textContent: text });
    const list = make("ol", "nk-step-told");
    const count = make("p", "nk-step-count"), next = make("p", "nk-step-next"), so = make("p", "nk-step-so");
    el.append(count, list, next, so);

    // What unfolds: a summary that click, key and tap open, and what stands under it.
    const fold = (name, head, label, ...inner) => {
      const box = make("details", name), summary = make("summary", "", head);
      summary.setAttribute("aria-label", label);
      box.append(summary, ...inner);
      box.addEventListener("toggle", fit);
      return box;
    };
    const term = ([key, name]) => {
      const picture = make("div", "nk-step-term-picture"), text = make("p", "");
      const fill = () => {
        const found = model.get("entries")[key];
        if (!found || !box.open) return;
        text.textContent = found.text;
        picture.innerHTML = found.svg;
        fit();
        if (!model.get("one")) box.scrollIntoView({ block: "nearest" });
      };
      const box = fold("nk-step-term", name, `${name}?`, text, picture);
      box.addEventListener("toggle", () => {
        if (box.open && !model.get("entries")[key]) model.send({ event: "term", term: key });
        fill();
      });
      model.on("change:entries", fill);
      return box;
    };
    const parts = (row, i) => {
      const inner = make("ol", "nk-step-parts");
      inner.append(...row.parts.map(([ask, text], j) => {
        const item = make("li", ""), part = make("button", "");
        part.type = "button";
        part.append(make("span", "nk-step-question", ask), " ", make("span", "nk-step-answer", text));
        part.addEventListener("click", () => model.send({ event: "line", line: i, part: j }));
        item.append(part);
        return item;
      }));
      return fold("nk-step-count-of", `${row.parts.length}`, row.opens, inner);
    };
    const draw = () => {
      const focused = [...list.children].findIndex((item) => item.contains(document.activeElement));
      list.replaceChildren(...model.get("rows").map((row, i) => {
        const item = make("li", "");
        item.dataset.kind = row.kind;
        const line = make("button", "nk-step-line");
        line.type = "button";
        line.append(make("span", "nk-step-question", row.ask), " ", make("span", "nk-step-answer", row.text));
        line.addEventListener("click", () => model.send({ event: "line", line: i }));
        const folds = make("div", "nk-step-folds");
        if (row.parts.length) folds.append(parts(row, i));
        if (row.rule) folds.append(fold("nk-step-rule-text", row.rule, row.unfold, make("p", "", row.title)));
        folds.append(...row.terms.map(term));
        item.append(line, folds);
        return item;
      }));
      list.children[focused]?.firstChild.focus();
      if (!list.children.length) { // another moment: its title or its question is above
        const column = el.closest(".nk-right");
        if (column) column.scrollTop = 0;
      }
      light();
    };
    const light = () => {
      const lit = model.get("lit"), part = model.get("part"), one = model.get("one");
      const now = lit >= 0 ? lit : list.children.length - 1;
      [...list.children].forEach((item, i) => {
        item.classList.toggle("nk-step-lit", i === lit);
        item.classList.toggle("nk-step-current", i === now);
        item.firstChild.setAttribute("aria-pressed", String(i === lit && part < 0));
        item.querySelectorAll(".nk-step-parts button").forEach((each, j) => each.setAttribute("aria-pressed", String(i === lit && j === part)));
        const rule = item.querySelector(".nk-step-rule-text");
        if (one && rule) rule.open = i === now && !model.get("mine") && !SMALL.matches;
      });
      count.textContent = model.get("count");
      next.textContent = model.get("next");
      so.textContent = model.get("so");
      so.hidden = !so.textContent || list.children[now]?.dataset.kind === "move";
      next.hidden = !next.textContent;
      fit();
      const item = one ? null : list.children[lit];
      if (!item) return;
      // On a phone that stands the line lies over the lower edge already: there the board is brought into sight.
      const page = item.closest(".nk-step");
      if (!UPRIGHT.matches) item.scrollIntoView({ block: "nearest" });
      if (SMALL.matches) (UPRIGHT.matches ? page?.querySelector(".nk-board") : page)?.scrollIntoView({ block: "start" });
    };
    // Smaller type rather than a bar to scroll with.
    let fitting = false;
    function fit() {
      if (fitting) return;
      fitting = true;
      requestAnimationFrame(() => {
        fitting = false;
        for (const [all, rule] of SMALLER) {
          el.style.setProperty("--fit", all);
          el.style.setProperty("--fit-rule", rule);
          if (!model.get("one") || !el.clientHeight || el.scrollHeight <= el.clientHeight + 1) break;
        }
      });
    }
    model.on("change:rows", draw);
    for (const name of ["lit", "part", "one", "mine", "count", "next", "so"]) model.on(`change:${name}`, light);
    const room = new ResizeObserver(fit);
    room.observe(el);
    // R unfolds the rule of the line that is lit, or of the last one.
    addEventListener("keydown", (event) => {
      const cell = el.closest(".nk-cell");
      if ((cell && !cell.contains(event.target)) || event.key !== "r" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select")) return;
      const rule = list.querySelector(".nk-step-current .nk-step-rule-text");
      if (rule) rule.open = !rule.open;
    }, { signal: gone.signal });
    draw();
    return () => { gone.abort(); room.disconnect(); };
  },
};
