// A board: the picture, and over it the cells that can be tapped. All text goes in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

// A picture within the page knows nothing of the page's fonts: it brings its own.
const face = fetch(`${document.body.dataset.base}static/sans.woff2`).then(async (answer) => {
  if (!answer.ok) return "";
  const bytes = Array.from(new Uint8Array(await answer.arrayBuffer()), (byte) => String.fromCharCode(byte)).join("");
  return `<style>@font-face{font-family:"Public Sans";src:url(data:font/woff2;base64,${btoa(bytes)});font-weight:100 900}</style>`;
}).catch(() => "");

export function element(name, facts = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

// Cells: {id, label, points, x, y, role}. `tapped` gets the id of the cell tapped or chosen by keys, and the event.
export function draw(board, cells, label, tapped) {
  const image = element("img", { alt: board.alt, width: board.width, height: board.height });
  face.then((style) => { image.src = `data:image/svg+xml,${encodeURIComponent(board.svg.replace(">", `>${style}`))}`; });
  const over = document.createElementNS(SVG, "svg");
  over.setAttribute("viewBox", `0 0 ${board.width} ${board.height}`);
  over.setAttribute("role", "group");
  over.setAttribute("aria-label", label);
  cells.forEach((cell, index) => {
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("points", cell.points);
    if (cell.x !== undefined) shape.setAttribute("transform", `translate(${cell.x} ${cell.y})`);
    shape.setAttribute("class", "nk-phone-cell");
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-label", cell.label);
    shape.setAttribute("tabindex", index ? "-1" : "0");
    shape.dataset.id = cell.id;
    over.append(shape);
  });
  const shapes = [...over.children];
  const middles = cells.map((cell) => (cell.x === undefined ? middle(cell.points) : [cell.x, cell.y]));
  const focus = (index) => {
    for (const shape of shapes) shape.setAttribute("tabindex", "-1");
    shapes[index].setAttribute("tabindex", "0");
    shapes[index].focus();
  };
  over.addEventListener("click", (event) => {
    const at = event.target.closest?.(".nk-phone-cell");
    if (at) tapped(at.dataset.id, event);
  });
  over.addEventListener("keydown", (event) => {
    const at = shapes.indexOf(document.activeElement);
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") tapped(shapes[at].dataset.id, event);
    else if (way) focus(nearest(middles, at, way));
    else return;
    event.preventDefault();
  });
  return element("div", { className: "nk-phone-board" }, image, over);
}

// Marks the cell that is picked, and the one the server has.
export function mark(board, picked, mine) {
  for (const shape of board.querySelectorAll(".nk-phone-cell")) {
    shape.classList.toggle("nk-phone-mine", shape.dataset.id === mine);
    shape.setAttribute("aria-pressed", String(shape.dataset.id === picked));
  }
}

function middle(points) {
  const all = points.split(" ").map((each) => each.split(",").map(Number));
  return [0, 1].map((axis) => all.reduce((sum, point) => sum + point[axis], 0) / all.length);
}

// The cell an arrow key leads to: the nearest in about that direction.
function nearest(middles, from, [dx, dy]) {
  let best = from, least = Infinity;
  middles.forEach(([x, y], index) => {
    const along = (x - middles[from][0]) * dx + (y - middles[from][1]) * dy;
    const aside = Math.abs((x - middles[from][0]) * dy) + Math.abs((y - middles[from][1]) * dx);
    const far = along + 2 * aside;
    if (along > 0.5 && far < least) [best, least] = [index, far];
  });
  return best;
}
