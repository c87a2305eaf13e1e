// A list of things under their headings, each with a button for every option it can be added to, and a box to look for it.
const made = (tag, className, textContent = "") => Object.assign(document.createElement(tag), { className, textContent });

export default {
  render({ model, el }) {
    el.classList.add("nk-play-stock");
    const sums = made("p", "nk-play-stock-sums"), find = Object.assign(made("input", "nk-play-stock-find"), { type: "search" });
    const table = document.createElement("table"), rows = [], scroll = made("div", "nk-play-stock-rows");
    sums.setAttribute("role", "status");
    scroll.tabIndex = 0;
    scroll.append(table);
    const build = () => {
      const head = model.get("head"), fields = model.get("fields"), body = document.createElement("tbody");
      let group = null;
      rows.length = 0;
      for (const [heading, name, about, ...cells] of model.get("things")) {
        if (heading !== group) {
          const row = body.insertRow(), over = Object.assign(made("th", "nk-play-stock-group", group = heading), { colSpan: head.length + 1, scope: "colgroup" });
          row.append(over);
        }
        const row = body.insertRow(), first = Object.assign(made("th", ""), { scope: "row" });
        first.append(made("b", "", name), made("span", "", about));
        row.append(first, ...cells.map((cell) => made("td", "", cell)));
        const buttons = fields.map((field, n) => {
          const each = Object.assign(made("button", "jupyter-button", field.split(" ")[0]), { type: "button" });
          each.setAttribute("aria-label", `${field}: ${name}`);
          each.addEventListener("click", () => {
            try { model.send({ event: "toggle", field: n, name }); } catch { /* the connection's notice says so */ }
          });
          return each;
        });
        const last = row.insertCell();
        last.append(...buttons);
        rows.push({ row, name, text: `${name} ${about} ${heading}`.toLowerCase(), buttons });
      }
      const top = document.createElement("thead").insertRow();
      top.append(...head.map((word) => Object.assign(made("th", "", word), { scope: "col" })), document.createElement("td"));
      table.replaceChildren(top.parentElement, body);
      find.placeholder = model.get("find");
      find.setAttribute("aria-label", model.get("find"));
      scroll.setAttribute("aria-label", model.get("find"));
      mark();
    };
    const mark = () => {
      const picked = model.get("picked");
      sums.replaceChildren(...model.get("sums").map((said) => made("span", "", said)));
      for (const { name, buttons } of rows) buttons.forEach((each, n) => each.setAttribute("aria-pressed", Boolean(picked[n]?.includes(name))));
    };
    find.addEventListener("input", () => {
      const wanted = find.value.trim().toLowerCase();
      for (const { row, text } of rows) row.hidden = !text.includes(wanted);
    });
    for (const name of ["things", "fields", "find"]) model.on(`change:${name}`, build);
    for (const name of ["picked", "sums"]) model.on(`change:${name}`, mark);
    el.append(sums, find, scroll);
    build();
  },
};
