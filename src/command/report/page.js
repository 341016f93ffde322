"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const nodes = [...document.querySelectorAll("g.node")];
  const select = document.getElementById("observer");
  const said = document.getElementById("said");
  const table = document.getElementById("towards");
  const rowOf = new Map(data.observers.map((node, row) => [node, row]));
  const words = { e: "exact", c: "certified", s: "estimate" };
  const svg = document.getElementById("graph");
  const phone = matchMedia("(max-width: 700px)");
  const find = document.getElementById("find");
  const plan = document.getElementById("plan");
  let observer = data.first;
  let sorted = { column: -1, descending: true };
  let layer = Number(document.querySelector("input[name=layer]:checked").value);

  // What is known of a node towards the observer: number, class, status and, for losses, the promise.
  function known(layer, node, towards = observer) {
    const row = rowOf.get(towards);
    const shown = layer.shown[row][node];
    if (shown < 0) return null;
    const promised = data.numbers[(layer.promised || layer.shown)[row][node]];
    return {
      text: data.numbers[shown][0],
      colour: data.numbers[shown][1],
      status: words[layer.statuses[row][node]],
      most: promised[0],
      epsilon: promised[2],
    };
  }

  // What is no number counts as the largest.
  function size(text) {
    const number = Number(text);
    return Number.isNaN(number) ? Infinity : number;
  }

  function sentence(layer, node) {
    const found = known(layer, node);
    if (!found) return "";
    if (!layer.promises) return `${found.text} by ${layer.name}`;
    const end = found.most === found.text ? "" : `, certified at most ${found.most}`;
    return `${found.text} (${found.status}${end}) with ${layer.name}, eps at most ${found.epsilon}`;
  }

  function describe(node) {
    if (node === observer) return `${data.labels[node]} observes`;
    const distance = data.distances[rowOf.get(observer)][node];
    const far = distance < 0 ? "no path" : `distance ${distance}`;
    const losses = data.layers.map((layer) => sentence(layer, node)).filter(Boolean);
    const sizes = data.layers[layer].sizes;
    const noise = sizes ? ` Its noise in the plan: ${sizes[node]} sigma.` : "";
    return `${data.labels[node]} to ${data.labels[observer]}, ${far}. Loss ${losses.join("; ")}.${noise}`;
  }

  function cell(row, text, name) {
    const made = document.createElement(name);
    made.textContent = text;
    row.append(made);
  }

  // The names of the columns, and what stands in them for a node.
  function columns() {
    const ends = (layer) => (layer.promised ? ["status", "at most", "eps"] : layer.promises ? ["status", "eps"] : []);
    const names = data.layers.flatMap((layer) => [layer.name, ...ends(layer)]);
    return ["node", "distance", ...names];
  }

  function fields(node, towards) {
    const distance = data.distances[rowOf.get(towards)][node];
    const losses = data.layers.flatMap((layer) => {
      const found = known(layer, node, towards);
      const most = layer.promised ? [found ? found.most : ""] : [];
      const ends = layer.promises ? [found ? found.status : "", ...most, found ? found.epsilon : ""] : [];
      return [found ? found.text : "-", ...ends];
    });
    return [data.labels[node], distance < 0 ? "none" : String(distance), ...losses];
  }

  // Numbers by size, words by letters, what is no number after all numbers.
  function compare(a, b) {
    const [x, y] = [Number(a), Number(b)];
    if (Number.isNaN(x) && Number.isNaN(y)) return a < b ? -1 : Number(a > b);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
    return x - y;
  }

  function fillTable() {
    const shown = data.layers[layer];
    const others = data.labels.map((_, node) => node).filter((node) => known(shown, node));
    const key = new Map(others.map((node) => [node, sorted.column < 0 ? size(known(shown, node).text) : fields(node, observer)[sorted.column]]));
    const order = (a, b) => (sorted.column < 0 ? key.get(a) - key.get(b) : compare(key.get(a), key.get(b)));
    others.sort((a, b) => (sorted.descending ? order(b, a) : order(a, b)) || a - b);
    const head = document.createElement("tr");
    columns().forEach((text, column) => {
      const made = document.createElement("th");
      made.scope = "col";
      if (column === sorted.column) made.setAttribute("aria-sort", sorted.descending ? "descending" : "ascending");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => {
        sorted = { column, descending: column === sorted.column && !sorted.descending };
        fillTable();
        table.querySelectorAll("th button")[column].focus();
      });
      made.append(button);
      head.append(made);
    });
    const rows = others.slice(0, 300).map((node) => {
      const row = document.createElement("tr");
      fields(node, observer).forEach((text) => cell(row, text, "td"));
      return row;
    });
    const [top, body] = ["thead", "tbody"].map((name) => document.createElement(name));
    top.append(head);
    body.append(...rows);
    table.replaceChildren(top, body);
  }

  // All numbers of the page, for every observer in it.
  function download() {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [["observer", ...columns()]];
    for (const towards of data.observers) {
      data.labels.forEach((_, node) => {
        if (node !== towards) lines.push([data.labels[towards], ...fields(node, towards)]);
      });
    }
    const text = lines.map((line) => line.map((field) => quoted(String(field))).join(",") + "\n").join("");
    const link = document.createElement("a");
    link.download = "losses.csv";
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function show() {
    const shown = data.layers[layer];
    const radius = svg ? Number(svg.dataset.radius) : 0;
    const most = shown.sizes ? Math.max(...shown.sizes, 1e-300) : 1;
    if (svg) svg.classList.toggle("planned", Boolean(shown.sizes));
    if (plan) plan.hidden = !shown.sizes;
    nodes.forEach((element, node) => {
      const found = known(shown, node);
      const text = describe(node) + (rowOf.has(node) ? "" : " Its own view is not in this page.");
      const rect = element.querySelector("rect");
      const own = radius * (shown.sizes ? 0.75 + 0.6 * (shown.sizes[node] / most) : 1);
      const r = node === observer ? Math.max(own, 8) : own;
      rect.setAttribute("class", found ? `class-${found.colour}` : "");
      rect.setAttribute("rx", node === observer ? 0 : r);
      for (const side of ["x", "y"]) rect.setAttribute(side, -r);
      for (const side of ["width", "height"]) rect.setAttribute(side, 2 * r);
      element.classList.toggle("observer", node === observer);
      element.classList.toggle("elsewhere", !rowOf.has(node));
      element.setAttribute("aria-pressed", node === observer);
      element.setAttribute("aria-label", text);
      element.querySelector("title").textContent = text;
      element.setAttribute("tabindex", node === observer ? 0 : -1);
    });
    if (svg) {
      // On top of the other nodes; an element that moves loses the focus.
      const focused = document.activeElement === nodes[observer];
      svg.insertBefore(nodes[observer], document.getElementById("labels"));
      if (focused) nodes[observer].focus();
    }
    select.value = observer;
    const degree = data.degrees[rowOf.get(observer)];
    const distances = data.distances[rowOf.get(observer)];
    const largest = (kept) => {
      const found = data.labels.map((_, node) => kept(node) && known(shown, node)).filter(Boolean);
      if (!found.length) return "";
      const worst = found.reduce((a, b) => (size(b.most) > size(a.most) ? b : a));
      return `${worst.most} (eps ${worst.epsilon})`;
    };
    const far = largest((node) => distances[node] !== 1);
    const promise = shown.promises
      ? `${data.promised} at delta ${data.delta}: a loss of at most ${largest(() => true)} for all nodes` +
        `${far && `, ${far} for those that are not neighbours`}.`
      : "The paper's bound is refuted, and no guarantee.";
    said.textContent = `Observer ${data.labels[observer]}, with ${degree} neighbour${degree === 1 ? "" : "s"}. ${promise}`;
    fillTable();
  }

  function choose(node) {
    if (!rowOf.has(node)) {
      said.textContent = `The losses towards ${data.labels[node]} are not in this page; make one with --observer ${data.labels[node]}.`;
      return;
    }
    observer = node;
    show();
  }

  function focus(node) {
    nodes.forEach((element, k) => element.setAttribute("tabindex", k === node ? 0 : -1));
    nodes[node].focus();
  }

  nodes.forEach((element, node) => {
    element.addEventListener("click", () => choose(node));
    element.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) focus((node + step + nodes.length) % nodes.length);
      else if (event.key === "Enter" || event.key === " ") choose(node);
      else return;
      event.preventDefault();
    });
  });
  // What the drawing shows: a part of the whole, moved and scaled.
  let whole = [0, 0, 1, 1];
  let view = whole;
  let upright = false;

  // Swaps the drawing for a screen and that for a phone.
  function turn() {
    if (!svg || upright === phone.matches) return;
    upright = phone.matches;
    look(whole);
    const swap = (element, name, kept) => {
      const before = element.getAttribute(name);
      element.setAttribute(name, element.getAttribute(kept));
      element.setAttribute(kept, before);
    };
    swap(svg, "viewBox", "data-narrow");
    swap(svg, "data-radius", "data-narrow-radius");
    svg.querySelectorAll("path").forEach((path) => swap(path, "d", "data-narrow"));
    svg.querySelectorAll("[transform]").forEach((placed) => swap(placed, "transform", "data-narrow"));
    whole = svg.getAttribute("viewBox").split(" ").map(Number);
    view = whole;
    show();
  }

  function look([x, y, width, height]) {
    view = [x, y, width, height];
    svg.setAttribute("viewBox", view.map((number) => number.toFixed(2)).join(" "));
  }

  // Zooms by a factor around a point, given as shares of the width and height.
  function zoom(factor, [across, down] = [0.5, 0.5]) {
    const width = Math.min(Math.max(view[2] / factor, whole[2] / 40), whole[2] * 2);
    const height = (width * whole[3]) / whole[2];
    look([view[0] + (view[2] - width) * across, view[1] + (view[3] - height) * down, width, height]);
  }

  function centre(node) {
    const [x, y] = nodes[node].getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    look([x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
  }

  if (svg) {
    whole = svg.getAttribute("viewBox").split(" ").map(Number);
    view = whole;
    phone.addEventListener("change", turn);
    const shares = (event) => {
      const box = svg.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    };
    svg.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        zoom(Math.exp(-event.deltaY / 400), shares(event));
      },
      { passive: false },
    );
    let drag = null;
    let dragged = false;
    svg.addEventListener("pointerdown", (event) => {
      drag = { from: shares(event), view: [...view] };
      dragged = false;
    });
    window.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const to = shares(event);
      const [across, down] = [to[0] - drag.from[0], to[1] - drag.from[1]];
      dragged = dragged || Math.hypot(across * svg.clientWidth, down * svg.clientHeight) > 4;
      if (dragged) look([drag.view[0] - across * view[2], drag.view[1] - down * view[3], view[2], view[3]]);
    });
    window.addEventListener("pointerup", () => (drag = null));
    // What ends a drag is no click on a node.
    svg.addEventListener(
      "click",
      (event) => {
        if (dragged) event.stopPropagation();
        dragged = false;
      },
      true,
    );
    svg.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") zoom(1.4);
      else if (event.key === "-") zoom(1 / 1.4);
      else if (event.key === "0") look(whole);
      else return;
      event.preventDefault();
    });
    document.getElementById("zoom-in").addEventListener("click", () => zoom(1.4));
    document.getElementById("zoom-out").addEventListener("click", () => zoom(1 / 1.4));
    document.getElementById("zoom-all").addEventListener("click", () => look(whole));
  }

  // Nodes whose label is, begins with or contains what is looked for; the best first.
  function matches() {
    const wanted = find.value.trim().toLowerCase();
    if (!wanted) return [];
    const rank = (label) => {
      const name = label.toLowerCase();
      return name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3;
    };
    const ranks = data.labels.map(rank);
    const found = data.labels.map((_, node) => node).filter((node) => ranks[node] < 3);
    return found.sort((a, b) => ranks[a] - ranks[b] || a - b);
  }

  find.addEventListener("input", () => {
    const found = matches();
    const marked = new Set(found);
    nodes.forEach((element, node) => element.classList.toggle("found", marked.has(node)));
    if (!find.value.trim()) return;
    said.textContent = found.length ? `Found ${found.length}: ${describe(found[0])}` : "No node is called so.";
    if (found.length && svg) centre(found[0]);
  });
  find.addEventListener("keydown", (event) => {
    const found = matches();
    if (event.key === "Enter" && found.length) choose(found[0]);
  });
  document.getElementById("download").addEventListener("click", download);
  document.getElementById("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  });
  select.addEventListener("change", () => choose(Number(select.value)));
  document.querySelectorAll("input[name=layer]").forEach((input) => {
    input.addEventListener("change", () => {
      layer = Number(input.value);
      show();
    });
  });
  show();
  turn();
})();
