// Charts, choices and colours. Text from files is only ever set as text, never as markup.
const root = document.documentElement;
const data = JSON.parse(document.getElementById("data").textContent);
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
const VERDICTS = { better: "var(--good)", worse: "var(--bad)" };
const places = new Map(data.runs.map((run, place) => [run, place]));
const coloured = SHAPES.map((_, slot) => data.coloured[slot] ?? null);
const views = new Map();

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function shorten(text, most) {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
}

function written(value) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) && Math.abs(value) > 1 ? value.toLocaleString("en").replace("-", "−") : decimals(value);
}

function decimals(value) {
  if (value === null || value === undefined) return "-";
  const text = Math.abs(value).toFixed(4);
  return value < 0 && Number(text) ? "−" + text : text;
}

function signed(value) {
  if (value === null || value === undefined) return "-";
  const text = decimals(value);
  return value > 0 && Number(text) ? "+" + text : text;
}

// `words` names the columns that hold words, `tones` gives for each row the class of a column.
function tabled(heads, rows, caption, { words = [], tones = [] } = {}) {
  const table = make("table");
  table.append(make("caption", caption));
  const head = table.createTHead().insertRow();
  const worded = heads.map((name) => words.includes(name));
  heads.forEach((name, column) => head.append(make("th", name, { scope: "col", class: worded[column] ? "words" : "" })));
  const body = table.createTBody();
  rows.forEach((row, place) => {
    const line = body.insertRow();
    row.forEach((value, column) => {
      const attributes = column ? { class: worded[column] ? "words" : "" } : { scope: "row", class: "" };
      const cell = make(column ? "td" : "th", typeof value === "string" ? value : written(value), attributes);
      if (cell.textContent.length > 22) cell.classList.add("long");
      if (tones[place]?.[column]) cell.classList.add(tones[place][column]);
      line.append(cell);
    });
  });
  const box = make("div", null, { class: "scroll", tabindex: "0", role: "region", "aria-label": caption });
  box.append(table);
  return box;
}

// ---- drawing

const config = {
  background: "transparent",
  font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
  view: { stroke: null },
  mark: { color: "var(--muted)" },
  text: { color: "var(--ink)" },
  rule: { color: "var(--muted)" },
  axis: {
    labelColor: "var(--muted)", titleColor: "var(--muted)", gridColor: "var(--line)", domainColor: "var(--line)",
    tickColor: "var(--line)", labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelPadding: 6, labelFlush: false,
    labelOverlap: "greedy",
  },
};

function tip(_, event, __, value) {
  const box = document.getElementById("tip");
  box.hidden = value === null || value === undefined || value === "";
  if (box.hidden) return;
  const list = make("dl");
  for (const [name, text] of Object.entries(typeof value === "object" ? value : { "": value })) {
    if (text === "null" || text === "" || text === null) continue;
    const pair = make("div");
    pair.append(make("dt", name), make("dd", String(text)));
    list.append(pair);
  }
  box.replaceChildren(list);
  const left = Math.min(event.clientX + 14, root.clientWidth - box.offsetWidth - 6);
  const below = event.clientY + 16;
  box.style.left = `${Math.max(6, left)}px`;
  box.style.top = `${below + box.offsetHeight > window.innerHeight ? event.clientY - box.offsetHeight - 10 : below}px`;
}

// A height of so many pixels for each name, as a number.
function tall(spec, rows) {
  const { step, for: within } = Object(spec.height);
  if (!step) return spec.height;
  const many = (field) => new Set(rows.map((row) => row[field])).size;
  const names = many(spec.layer.at(-1).encoding.y.field);
  return names * step * (within === "offset" ? many("run") + 1.2 : 1);
}

// Whether some row has a value for each place that the layer is drawn at.
function drawable(layer, rows) {
  const spots = ["x", "x2", "y", "y2"].map((channel) => layer.encoding[channel]?.field).filter(Boolean);
  return spots.every((field) => rows.some((row) => row[field] !== null && row[field] !== undefined));
}

async function embed(place, spec, rows, about, renderer = "svg") {
  views.get(place)?.finalize();
  const narrow = place.clientWidth < 520;
  const axis = { ...config.axis, labelLimit: narrow ? 130 : 220 };
  const layer = spec.layer.filter((one) => drawable(one, rows));
  if (!rows.length || !layer.some((one) => (one.data ?? spec.data).name === "rows")) {
    views.delete(place);
    place.replaceChildren(make("p", "There is no value to draw.", { class: "legend" }));
    return null;
  }
  const drawn = { ...spec, layer, height: tall(spec, rows), datasets: { ...spec.datasets, rows }, description: about };
  const result = await window.vegaEmbed(place, drawn, {
    mode: "vega-lite", ast: true, actions: false, renderer, tooltip: tip, defaultStyle: false, config: { ...config, axis },
  });
  views.set(place, result);
  return result;
}

function painted(chart, row) {
  if (chart.paint === "verdict") return { ...row, colour: VERDICTS[row.verdict] ?? "var(--even)" };
  if (chart.paint !== "run") return { ...row, colour: "var(--accent)" };
  const slot = coloured.indexOf(places.get(row.run));
  return slot < 0
    ? { ...row, slot: -1, colour: chart.legend ? "var(--faint)" : "var(--even)", shape: "circle" }
    : { ...row, slot, colour: `var(--run-${slot})`, shape: SHAPES[slot] };
}

function rowsOf(chart, figure) {
  const chosen = [...figure.querySelectorAll("select[data-field]")].map((one) => [chart.fields.indexOf(one.dataset.field), one.value]);
  const kept = chart.rows.filter((row) => chosen.every(([column, value]) => row[column] === value));
  const rows = kept.map((row) => painted(chart, Object.fromEntries(row.map((value, column) => [chart.fields[column], value]))));
  if (chart.only) return rows.filter((row) => row.slot >= 0);
  return chart.legend ? rows.sort((a, b) => a.slot - b.slot) : rows;
}

async function draw(figure) {
  const chart = data.charts[figure.dataset.chart];
  const drawing = figure.querySelector(".drawing");
  const rows = rowsOf(chart, figure);
  const title = figure.querySelector("h3").textContent;
  const groups = chart.panels ? [...new Set(chart.rows.map((row) => row[chart.fields.indexOf(chart.panels)]))] : [""];
  if (drawing.childElementCount !== groups.length) {
    drawing.replaceChildren(...groups.map((group) => {
      const panel = make("div");
      if (group) panel.append(make("h4", group));
      panel.append(make("div", null, { class: "plot" }));
      return panel;
    }));
  }
  for (const [place, group] of groups.entries()) {
    const part = group ? rows.filter((row) => row[chart.panels] === group) : rows;
    await embed(drawing.children[place].querySelector(".plot"), chart.spec, part, group ? `${title}: ${group}` : title);
  }
  count(figure, chart.fields.filter((name) => !chart.choices.includes(name)), rows);
}

function count(figure, fields, rows, words = ["run", "query", "group", "name", "verdict", "kind"]) {
  const details = figure.querySelector("details.numbers");
  if (!details) return;
  const fill = () => {
    details.querySelector(".scroll")?.remove();
    if (!details.open) return;
    const values = rows.map((row) => fields.map((name) => (typeof row[name] === "boolean" ? (row[name] ? "yes" : "no") : row[name])));
    details.append(tabled(fields, values, "The drawing as numbers", { words }));
  };
  details.ontoggle = fill;
  fill();
}

// ---- choices

function legends() {
  for (const box of document.querySelectorAll("fieldset input")) {
    const slot = coloured.indexOf(Number(box.value));
    box.checked = slot >= 0;
    box.disabled = slot < 0 && !coloured.includes(null);
    box.nextElementSibling.style.background = slot < 0 ? "" : `var(--run-${slot})`;
  }
}

async function recolour(event) {
  const run = Number(event.target.value);
  const slot = coloured.indexOf(run);
  coloured[slot < 0 ? coloured.indexOf(null) : slot] = slot < 0 ? run : null;
  legends();
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    if (data.charts[figure.dataset.chart].paint === "run") await draw(figure);
  }
}

function cases(box) {
  const choice = box.querySelector("select");
  const show = () => {
    for (const one of box.querySelectorAll("[data-case]")) one.hidden = one.dataset.case !== choice.value;
  };
  choice.addEventListener("change", show);
  show();
}

function themes() {
  const order = ["auto", "light", "dark"];
  const button = document.getElementById("theme");
  const set = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  const kept = (value) => {
    try {
      if (value) localStorage.setItem("assay-theme", value);
      return localStorage.getItem("assay-theme");
    } catch {
      return null;
    }
  };
  let theme = order.includes(kept()) ? kept() : "auto";
  set(theme);
  button.addEventListener("click", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    kept(theme);
    set(theme);
  });
}

async function start() {
  root.classList.add("ready");
  themes();
  legends();
  document.querySelectorAll(".cases").forEach(cases);
  document.querySelectorAll("fieldset input").forEach((box) => box.addEventListener("change", recolour));
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    figure.querySelectorAll("select").forEach((one) => one.addEventListener("change", () => draw(figure)));
    await draw(figure);
  }
  if (data.explorer) await explore(data.explorer);
  const measured = () => (root.dataset.overflow = root.scrollWidth > root.clientWidth ? "yes" : "no");
  measured();
  window.addEventListener("resize", measured);
  root.dataset.drawn = String(document.querySelectorAll("svg.marks, canvas.marks").length);
}
