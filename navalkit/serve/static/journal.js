// The journal of a tab's orders. Each has a number and the position it was given for, and is kept by the tab until it is
// known to be safe: so it may be sent again whatever broke meanwhile, for it is played once (`Controller.take`).
const MOST = 200; // orders that are kept: with more, the oldest are given up
const LAST = 1e8; // no tab comes to as many orders, and Python counts further

// Whether what was kept is a journal: one that is damaged would be sent again for ever.
const sound = (kept) => /^[0-9a-f]{16}$/.test(kept?.id) && Number.isInteger(kept.n) && kept.n >= 0 && kept.n < LAST && Array.isArray(kept.orders) &&
  kept.orders.every((order) => order?.journal === kept.id && Number.isInteger(order.n) && order.n > 0 && order.n <= kept.n &&
    typeof order.at === "string" && order.do && typeof order.do === "object" && !Array.isArray(order.do));

export class Journal {
  // `send` brings an order on its way, `changed` is told how many are waiting to be heard, and whether they are kept where
  // they outlive the page: a browser's storage may be full, or off.
  constructor(name, send, changed = () => {}) {
    Object.assign(this, { name: `navalkit:journal:${name}`, send, changed, at: "", heard: 0 });
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(this.name)); } catch { /* storage is off, or damaged: a new journal */ }
    const { id, n, orders } = sound(kept) ? kept : {};
    const fresh = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.id = id ?? fresh;
    this.n = n ?? 0;
    this.orders = orders ?? [];
    this.alone(fresh, !!id);
  }

  // A tab made from another one is given its journal, too: it begins one of its own as soon as the other one answers.
  alone(fresh, taken) {
    try {
      const tabs = new BroadcastChannel("navalkit:journals");
      tabs.onmessage = ({ data: { is, from, to } }) => {
        if (from && from !== this.id && is === this.id) tabs.postMessage({ to: from });
        else if (to === fresh && this.id !== fresh) {
          Object.assign(this, { id: fresh, n: 0, heard: 0, orders: [] });
          this.keep();
        }
      };
      if (taken) tabs.postMessage({ is: this.id, from: fresh });
    } catch { /* no such channels: then a tab is taken for the one it was made from */ }
  }

  get unheard() {
    return this.orders.filter(({ n }) => n > this.heard);
  }
  get next() { // the one that is to be heard first
    return this.unheard[0];
  }
  before({ n }) { // the number of the one that is to be heard before an order, 0 if there is none: what was heard, but is not safe, may be forgotten
    return this.orders.findLast((order) => order.n < n)?.n ?? 0;
  }

  // Whether the same was given for the same position and is not heard yet: pressed once more, it is that press.
  given(what) {
    const same = JSON.stringify(what);
    return this.unheard.some((order) => order.at === this.at && JSON.stringify(order.do) === same);
  }

  // An order is given; false before anything is known of the game.
  give(what) {
    if (!this.at) return false;
    const order = { journal: this.id, n: ++this.n, at: this.at, do: what };
    this.orders = [...this.orders, order].slice(-MOST);
    this.keep();
    this.send(order);
    return true;
  }

  // Where the game stands, and which orders were heard, and which of them are safe. The first time this is told after
  // the page was loaded, what was not heard is sent again; so it is where fewer were heard than before, as by another
  // Python, which knows of no order that was held.
  stands({ at, journal, n, safe }) {
    let anew = !this.at;
    this.at = at;
    if (journal === this.id || !journal) { // none: nothing was heard
      anew ||= n < this.heard;
      this.heard = n;
      this.n = Math.max(this.n, n);
      this.orders = this.orders.filter((order) => order.n > safe);
    }
    this.keep();
    if (anew) this.again();
  }

  // An order was refused: it is not sent again.
  drop(order) {
    this.orders = this.orders.filter(({ n }) => n !== order.n);
    this.keep();
  }

  // What was not heard, up to that number, is sent again.
  again(last = Infinity) {
    if (this.at) this.unheard.filter(({ n }) => n <= last).forEach((order) => this.send(order));
  }

  keep() {
    let kept = true;
    try {
      if (!this.at && !this.orders.length) sessionStorage.removeItem(this.name); // of a page that takes no orders now
      else sessionStorage.setItem(this.name, JSON.stringify({ id: this.id, n: this.n, orders: this.orders }));
    } catch { kept = false; }
    this.changed(this.unheard.length, kept);
  }
}
