// Query by query: bars to choose from.
const MOST_BARS = 400;

function tally(book, state) {
  const name = book.measures[state.measure];
  if (state.baseline === null) {
    const values = book.values[state.run][state.measure].filter((value) => value !== null);
    if (!values.length) return `${name} is undefined for every query`;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return `${name} of ${values.length.toLocaleString("en")} queries: plain mean ${decimals(mean)}, ${values.filter((value) => value === 0).length} at 0`;
  }
  const direct = book.contrasts.find((one) => one[0] === state.run && one[1] === state.baseline && one[2] === state.measure);
  const other = book.contrasts.find((one) => one[1] === state.run && one[0] === state.baseline && one[2] === state.measure);
  const turn = (value) => (value === null ? null : -value);
  const found = direct ?? (other && [other[1], other[0], other[2], other[5], other[4], other[3], ...[other[6], other[8], other[7]].map(turn), other[9]]);
  if (!found) {
    const change = bars(book, state).map((row) => row.gain);
    const wins = change.filter((gain) => gain > 0).length, losses = change.filter((gain) => gain < 0).length;
    return `+${wins} / =${change.length - wins - losses} / −${losses} by ${name}; this pair was not tested`;
  }
  const [, , , wins, ties, losses, mean, low, high, p] = found;
  const span = low === null ? "" : ` [${signed(low)}, ${signed(high)}]`;
  const chance = p === null ? "not tested" : p < 0.0001 ? "< 0.0001" : p.toFixed(4);
  return `+${wins} / =${ties} / −${losses}, mean ${signed(mean)}${span}, p ${chance}`;
}

function bars(book, state) {
  const after = book.values[state.run][state.measure];
  const before = state.baseline === null ? after.map(() => 0) : book.values[state.baseline][state.measure];
  const sign = book.lower.includes(book.measures[state.measure]) ? -1 : 1;
  const show = book.counts.includes(book.measures[state.measure]) ? written : decimals;
  const rows = [];
  book.queries.forEach((query, id) => {
    if (after[id] === null || before[id] === null) return;
    const change = after[id] - before[id];
    const gain = Math.abs(change) < 1e-9 ? 0 : sign * change;
    const values = state.baseline === null ? { value: show(after[id]) } : { value: signed(change), before: show(before[id]), after: show(after[id]) };
    rows.push({ id, query, change, gain, ...values });
  });
  return rows.sort((a, b) => a.gain - b.gain || a.id - b.id);
}

function dressed(rows, state, width) {
  const step = Math.max(1, Math.ceil((14 * rows.length) / Math.max(width, 1)));
  const tail = (place) => place % step === 0 && place / step < 3;
  return rows.map((row, place) => ({
    ...row,
    place,
    label: (tail(place) && (row.gain <= 0 || state.baseline === null)) || (tail(rows.length - 1 - place) && row.gain > 0) ? shorten(row.query, 16) : null,
    colour: state.baseline === null ? "var(--accent)" : row.gain > 0 ? "var(--good)" : row.gain < 0 ? "var(--bad)" : "var(--even)",
    outline: row.id === state.query ? "var(--ink)" : "transparent",
  }));
}

function keyed(one) {
  return [one.run, one.base ?? -1, one.measure, one.query].join("/");
}

async function explore(book) {
  const box = document.getElementById("explorer");
  const find = (id) => document.getElementById(id);
  const known = new Map(book.explained.map((one) => [keyed(one), one]));
  const compared = "compared" in box.dataset;
  const state = { run: Number(box.dataset.run), baseline: compared ? Number(box.dataset.baseline) : null, measure: 0, query: null };
  const entry = (query) => known.get([state.run, state.baseline ?? -1, state.measure, query].join("/"))
    ?? known.get([state.run, -1, state.measure, query].join("/"));
  let rows = [];
  find("run").value = state.run;
  if (compared) find("baseline").value = state.baseline;

  const options = () => {
    const one = (row) => make("option", `${row.query}  ${row.value}`, { value: row.id });
    const lists = [["Explained here", rows.filter((row) => entry(row.id))], ["Other queries", rows.filter((row) => !entry(row.id))]];
    find("query").replaceChildren(...lists.filter(([, list]) => list.length).map(([label, list]) => {
      const group = make("optgroup", null, { label });
      group.append(...list.map(one));
      return group;
    }));
  };
  const outline = () => {
    const result = views.get(find("bars"));
    result?.view.data("rows", dressed(rows, state, find("bars").clientWidth)).runAsync();
  };
  const choose = async (query) => {
    state.query = query;
    find("query").value = query;
    outline();
    await explain(book, state, rows.find((row) => row.id === query), entry(query), find("explanation"));
  };
  const update = async () => {
    const all = bars(book, state);
    rows = all.length > MOST_BARS ? [...all.slice(0, MOST_BARS / 2), ...all.slice(-MOST_BARS / 2)] : all;
    const cut = all.length > rows.length ? ` (drawn: the ${MOST_BARS / 2} at each end)` : "";
    find("tally").textContent = tally(book, state) + cut;
    options();
    const shown = dressed(rows, state, find("bars").clientWidth);
    const result = await embed(find("bars"), book.spec, shown, find("tally").textContent);
    result?.view.addEventListener("click", (_, item) => item?.datum?.query !== undefined && choose(item.datum.id));
    count(box.querySelector("figure"), compared ? ["query", "value", "before", "after"] : ["query", "value"], rows);
    if (rows.length) await choose(Number(find("query").options[0].value));
    else find("explanation").replaceChildren(make("p", "No query has a value for both."));
  };
  for (const name of compared ? ["run", "baseline", "measure"] : ["run", "measure"]) {
    find(name).addEventListener("change", (event) => {
      state[name] = Number(event.target.value);
      update();
    });
  }
  find("query").addEventListener("change", (event) => choose(Number(event.target.value)));
  find("bars").addEventListener("keydown", (event) => {
    const here = rows.findIndex((row) => row.id === state.query);
    const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "Enter") find("explanation").focus();
    else if (rows[next]) choose(rows[next].id);
    else return;
    event.preventDefault();
  });
  await update();
}

async function explain(book, state, row, found, place) {
  const name = book.measures[state.measure];
  const run = book.runs[state.run];
  const heading = make("h4", compareLine(book, state, row, name));
  if (!found) {
    const elsewhere = book.explained.length ? "the ranking of this query; the command assay explain shows it" : "rankings";
    place.replaceChildren(heading, make("p", `This page does not hold ${elsewhere}.`, { class: "legend" }));
    return;
  }
  const parts = [heading];
  const sides = make("div", null, { class: "sides" });
  if (found.before) sides.append(side(found.before, `Before: ${book.runs[found.base]}`, name));
  sides.append(side(found.after, found.before ? `After: ${run}` : run, name));
  if (found.moves?.length) parts.push(...moved(book, state, found, name));
  parts.push(sides);
  place.replaceChildren(...parts);
  const plot = place.querySelector(".plot");
  if (plot) await embed(plot, book.slope, lines(book, state, found, plot.clientWidth), `Ranks of judged items of ${row.query}`);
}
