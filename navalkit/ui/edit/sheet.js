// The form of what is chosen in a scenario that is being made, and the list of all its parts. An element stays while its
// field does, so that nobody loses the focus, or what they are typing, when the page is brought up to date.
const made = (tag, facts = {}, ...inside) => { const each = Object.assign(document.createElement(tag), facts); each.append(...inside); return each; };

export default {
  render({ model, el }) {
    el.classList.add("nk-edit-sheet");
    const send = (content) => { try { model.send(content); } catch { /* the connection's notice says so */ } };
    const head = made("h3"), form = made("div", { className: "nk-edit-form" }), list = made("div", { className: "nk-edit-list" });
    let fields = new Map(), of = "";

    const control = (field) => {
      const set = (value) => send({ event: "set", name: field.name, value });
      if (field.kind === "flag") {
        const each = made("input", { type: "checkbox" });
        each.addEventListener("change", () => set(each.checked));
        return each;
      }
      if (field.kind === "some") return made("fieldset", { className: "nk-edit-some" });
      const each = made(field.kind === "one" ? "select" : field.kind === "long" ? "textarea" : "input");
      if (field.kind === "whole") Object.assign(each, { inputMode: "numeric" });
      if (field.kind === "long") each.rows = 3;
      each.addEventListener("change", () => set(each.value));
      return each;
    };
    const row = (field) => {
      const input = control(field), label = made("label"), wrong = made("p", { className: "nk-bad" }), id = `field-${Math.random().toString(36).slice(2)}`;
      wrong.setAttribute("role", "alert");
      wrong.id = `${id}-wrong`;
      input.id = label.htmlFor = id;
      const place = made("div", { className: "nk-edit-field" }, label, input, wrong);
      place.dataset.kind = field.kind;
      place.dataset.name = field.name;
      form.append(place);
      return { place, input, label, wrong };
    };
    const fill = ({ place, input, label, wrong }, field, again) => {
      if (label.textContent !== field.label) label.textContent = field.label;
      wrong.textContent = field.wrong;
      wrong.hidden = !field.wrong;
      if (field.wrong) input.setAttribute("aria-describedby", wrong.id);
      input.setAttribute("aria-invalid", !!field.wrong);
      if (field.kind === "flag") input.checked = field.value;
      else if (field.kind === "some") {
        input.setAttribute("aria-label", field.label);
        const boxes = field.choices.map(([value, name]) => {
          const each = made("input", { type: "checkbox", value, checked: field.value.includes(value) });
          each.addEventListener("change", () => send({ event: "set", name: field.name,
            value: [...input.querySelectorAll("input")].filter((other) => other.checked).map((other) => other.value) }));
          return made("label", {}, each, name);
        });
        const at = [...input.querySelectorAll("input")].indexOf(document.activeElement);
        input.replaceChildren(...boxes);
        input.querySelectorAll("input")[at]?.focus();
      } else if (field.kind === "one") {
        const texts = JSON.stringify(field.choices);
        if (input.dataset.texts !== texts) {
          input.replaceChildren(...field.choices.map(([value, name]) => made("option", { value, textContent: name })));
          input.dataset.texts = texts;
        }
        input.value = field.value;
      } else if (again || document.activeElement !== input || input.dataset.was !== field.value) input.value = input.dataset.was = field.value;
    };
    const show = () => {
      const wanted = model.get("fields"), which = model.get("head");
      const same = wanted.length === fields.size && wanted.every(({ name, kind }) => fields.get(name)?.place.dataset.kind === kind);
      if (!same || !of) { form.replaceChildren(); fields = new Map(wanted.map((field) => [field.name, row(field)])); }
      for (const field of wanted) fill(fields.get(field.name), field, which !== of);
      if (of && of !== which) el.closest(".widget-tab-contents")?.scrollTo(0, 0);
      head.textContent = of = which;
    };
    const tell = () => {
      const focused = document.activeElement?.closest(".nk-edit-list") === list ? document.activeElement.dataset.path : null;
      list.replaceChildren(...model.get("kinds").map(([kind, name, add, parts]) => {
        const rows = parts.map(([n, told, side, wrong, chosen]) => {
          const each = made("button", { type: "button", className: "jupyter-button", textContent: told || wrong });
          Object.assign(each.dataset, { path: `${kind} ${n}`, side });
          each.setAttribute("aria-pressed", chosen);
          if (wrong) each.append(made("span", { className: "nk-bad", textContent: told ? wrong : "" }));
          if (wrong && !told) return made("p", { className: "nk-bad", textContent: wrong });
          each.addEventListener("click", () => send({ event: "choose", kind, n }));
          return each;
        });
        const more = add ? [made("button", { type: "button", className: "jupyter-button nk-edit-add", textContent: `+ ${name}`, title: add })] : [];
        more[0]?.setAttribute("aria-label", add);
        if (more[0]) more[0].dataset.path = `+ ${kind}`;
        more[0]?.addEventListener("click", () => send({ event: "add", kind }));
        return made("section", {}, made("h4", { textContent: name }), made("div", {}, ...rows, ...more));
      }));
      if (focused) [...list.querySelectorAll("button")].find((each) => each.dataset.path === focused)?.focus({ preventScroll: true });
    };
    model.on("change:fields", show);
    model.on("change:head", show);
    model.on("change:kinds", tell);
    model.on("msg:custom", ({ name, why }) => { // refused: what was is there again, and why stands below it
      const field = model.get("fields").find((each) => each.name === name);
      if (field) fill(fields.get(name), { ...field, wrong: why }, true);
    });
    el.append(head, form, list);
    show();
    tell();
  },
};
