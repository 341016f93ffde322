"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const nodes = [...document.querySelectorAll("g.node")];
  const select = document.getElementById("observer");
  const said = document.getElementById("said");
  const table = document.getElementById("towards");
  const rowOf = new Map(data.observers.map((node, row) => [node, row]));
  const words = { e: "exact", c: "certified", s: "estimate" };
  const radius = nodes.length ? nodes[0].querySelector("rect").getAttribute("rx") : 0;
  let observer = data.first;
  let layer = Number(document.querySelector("input[name=layer]:checked").value);

  // What is known of a node towards the observer: number, class, status and, for losses, the promise.
  function known(layer, node) {
    const row = rowOf.get(observer);
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
    const end = found.status === "estimate" ? `, certified at most ${found.most}` : "";
    return `${found.text} (${found.status}${end}) with ${layer.name}, eps at most ${found.epsilon}`;
  }

  function describe(node) {
    if (node === observer) return `${data.labels[node]} observes`;
    const distance = data.distances[rowOf.get(observer)][node];
    const far = distance < 0 ? "no path" : `distance ${distance}`;
    const losses = data.layers.map((layer) => sentence(layer, node)).filter(Boolean);
    return `${data.labels[node]} to ${data.labels[observer]}, ${far}. Loss ${losses.join("; ")}.`;
  }

  function cell(row, text, name) {
    const made = document.createElement(name);
    made.textContent = text;
    if (name === "th") made.scope = "col";
    row.append(made);
  }

  function fillTable() {
    const shown = data.layers[layer];
    const others = data.labels.map((_, node) => node).filter((node) => known(shown, node));
    const loss = new Map(others.map((node) => [node, size(known(shown, node).text)]));
    others.sort((a, b) => loss.get(b) - loss.get(a) || a - b);
    const head = document.createElement("tr");
    ["node", "distance"].forEach((text) => cell(head, text, "th"));
    for (const layer of data.layers) {
      cell(head, layer.name, "th");
      if (layer.promises) ["status", "at most", "eps"].forEach((text) => cell(head, text, "th"));
    }
    const rows = others.slice(0, 300).map((node) => {
      const row = document.createElement("tr");
      const distance = data.distances[rowOf.get(observer)][node];
      cell(row, data.labels[node], "td");
      cell(row, distance < 0 ? "none" : distance, "td");
      for (const layer of data.layers) {
        const found = known(layer, node);
        const status = found && layer.promises ? [found.status, found.most, found.epsilon] : [];
        [found ? found.text : "-", ...status].forEach((text) => cell(row, text, "td"));
      }
      return row;
    });
    const [top, body] = ["thead", "tbody"].map((name) => document.createElement(name));
    top.append(head);
    body.append(...rows);
    table.replaceChildren(top, body);
  }

  function show() {
    const shown = data.layers[layer];
    nodes.forEach((element, node) => {
      const found = known(shown, node);
      const text = describe(node) + (rowOf.has(node) ? "" : " Its own view is not in this page.");
      const rect = element.querySelector("rect");
      rect.setAttribute("class", found ? `class-${found.colour}` : "");
      rect.setAttribute("rx", node === observer ? 0 : radius);
      element.classList.toggle("observer", node === observer);
      element.classList.toggle("elsewhere", !rowOf.has(node));
      element.setAttribute("aria-pressed", node === observer);
      element.setAttribute("aria-label", text);
      element.querySelector("title").textContent = text;
      element.setAttribute("tabindex", node === observer ? 0 : -1);
    });
    select.value = observer;
    const seen = data.seen[rowOf.get(observer)];
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
        `${far && `, ${far} for those that are no neighbours`}.`
      : "The paper's bound is no guarantee.";
    said.textContent = `Observer ${data.labels[observer]}: ${seen}. ${promise}`;
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
  select.addEventListener("change", () => choose(Number(select.value)));
  document.querySelectorAll("input[name=layer]").forEach((input) => {
    input.addEventListener("change", () => {
      layer = Number(input.value);
      show();
    });
  });
  show();
})();
