// The explanation of the query that was chosen: both rankings, the items that moved, the slopes between them.
const MOST_LINES = 40;

function compareLine(book, state, row, name) {
  if (state.baseline === null) return `${row.query}: ${name} ${row.value}`;
  return `${row.query}: ${name} ${row.before} → ${row.after} (${row.value})`;
}

function side(one, title, name) {
  const box = make("div");
  box.append(make("h4", title));
  const best = one.highest === null ? "" : ` of at most ${decimals(one.highest)}`;
  box.append(make("p", `${name} ${decimals(one.value)}${best}; ${one.retrieved.toLocaleString("en")} items ranked, ${one.relevant.toLocaleString("en")} relevant in the gold.`, { class: "legend" }));
  one.notices.forEach((notice) => box.append(make("p", notice, { class: "legend" })));
  const places = one.places.map(([rank, item, grade, contribution, sofar, better, tied]) => [
    `${rank}${tied > 1 ? ` (${tied} tied)` : ""}`, item, grade === null ? "-" : String(grade), signed(contribution), decimals(sofar), better === null ? "-" : decimals(better),
  ]);
  if (Math.abs(one.rest) > 1e-9) places.push(["below", "", "", signed(one.rest), decimals(one.value), ""]);
  const tones = one.places.map(([, , grade]) => (grade > 0 ? { 2: "good" } : {}));
  box.append(tabled(["rank", "item", "grade", "adds", "so far", "if relevant"], places, "Place by place", { words: ["item"], tones }));
  if (one.missed.length) {
    const rest = one.unshown ? `, ${one.unshown} more not shown` : "";
    const rows = one.missed.map(([item, grade, rank, would]) => [item, String(grade), rank === null ? "not retrieved" : String(rank), would === null ? "-" : decimals(would)]);
    box.append(tabled(["item", "grade", "rank", "if at first place"], rows, `Relevant items that count for nothing${rest}`, { words: ["item"] }));
  }
  return box;
}

function moved(book, state, found, name) {
  const plot = make("div", null, { class: "plot slope" });
  const caption = make("figcaption");
  for (const [head, text] of [
    ["Shows", `The judged items of the query and their ranks in both runs${found.moves.length > MOST_LINES ? `, the ${MOST_LINES} that matter most` : ""}.`],
    ["Reading", "Blue lines rise, orange ones fall, grey ones stay. Full dots are the highest grade, empty ones not relevant."],
  ]) {
    const line = make("p");
    line.append(make("b", head), ` ${text}`);
    caption.append(line);
  }
  const figure = make("figure");
  figure.append(plot, caption);
  const rank = (value) => (value === null ? "not retrieved" : String(value));
  const rows = sorted(found.moves).map(([item, grade, before, after, first, second]) => [item, String(grade), rank(before), rank(after), signed(first), signed(second), signed(second - first)]);
  if (Math.abs(found.other) > 1e-9) rows.push(["items without a judgment", "", "", "", "", "", signed(found.other)]);
  const tones = rows.map((row) => ({ 6: row[6].startsWith("+") ? "good" : row[6].startsWith("−") ? "bad" : "" }));
  const table = tabled(["item", "grade", "rank before", "rank after", "adds before", "adds after", "change"], rows, `What each judged item makes of the difference by ${name}`, { words: ["item"], tones });
  return [figure, table];
}

function sorted(moves) {
  return [...moves].sort((a, b) => Math.abs(b[5] - b[4]) - Math.abs(a[5] - a[4]) || (a[3] ?? Infinity) - (b[3] ?? Infinity));
}

function lines(book, state, found, width) {
  const moves = sorted(found.moves).slice(0, MOST_LINES);
  const ranks = moves.flatMap((move) => [move[2], move[3]]).filter((rank) => rank !== null);
  const lane = Math.ceil(Math.max(10, ...ranks) * 1.6);
  const highest = Math.max(1, ...moves.map((move) => move[1]));
  const names = [`before: ${shorten(book.runs[found.base], 18)}`, `after: ${shorten(book.runs[state.run], 18)}`];
  const lost = [false, false];
  const taken = [[], []];
  const rows = [];
  for (const first of [true, false]) {
    moves.forEach(([item, grade, before, after, adds, then]) => {
      const rank = first ? before : after;
      const rose = (before ?? Infinity) - (after ?? Infinity);
      const side = first ? 0 : 1;
      const free = rank !== null && taken[side].every((other) => Math.abs(Math.log(rank / other)) > (13 / 320) * Math.log(lane));
      if (free) taken[side].push(rank);
      const label = free ? (first ? String(rank) : `${rank}  ${shorten(item, width < 520 ? 10 : 24)}`) : null;
      const missing = rank === null && !lost[side] ? "not retrieved" : null;
      lost[side] ||= rank === null;
      rows.push({
        item, grade, first, side: names[side], rank: rank ?? "not retrieved", place: rank ?? lane, text: missing ?? label,
        contribution: decimals(first ? adds : then), moved: signed(then - adds),
        colour: rose > 0 ? "var(--good)" : rose < 0 ? "var(--bad)" : "var(--even)",
        fill: grade > 0 ? `color-mix(in srgb, var(--ink) ${Math.round(25 + (75 * grade) / highest)}%, var(--paper))` : "var(--paper)",
      });
    });
  }
  return rows;
}

start();
