// Markup of which Python sends what has changed: a piece, and how much of the old stands before and behind it.
export default {
  render({ model, el }) {
    const inner = Object.assign(document.createElement("div"), { className: "widget-html-content" });
    el.append(inner);
    let shown = null; // until all of it has come
    model.on("msg:custom", ({ before, behind, text, fresh }) => {
      if (fresh) shown = "";
      if (shown === null) return;
      shown = shown.slice(0, before) + text + shown.slice(shown.length - behind);
      inner.innerHTML = shown;
    });
    model.send({ event: "ready" });
  },
};
