// ---- tables that the reader sorts by a column: first as it is best read, then the other way round

function keyOf(cell) {
  const text = [...cell.childNodes].filter((node) => !["SMALL", "SUP"].includes(node.nodeName)).map((node) => node.textContent).join("").trim();
  const value = text === "-" ? NaN : Number(text.replaceAll(",", "").replace("−", "-").replace(/%$/, ""));
  return { text, value };
}

// Numbers before words; what has no value stays last, whichever way round.
function ordered(rows, column, turn) {
  const keyed = rows.map((row, place) => ({ row, place, ...keyOf(row.cells[column]) }));
  const numbers = keyed.some((one) => !Number.isNaN(one.value));
  keyed.sort((a, b) => {
    if (!numbers) return turn * a.text.localeCompare(b.text, "en", { numeric: true }) || a.place - b.place;
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) return Number.isNaN(a.value) - Number.isNaN(b.value) || a.place - b.place;
    return turn * (a.value - b.value) || a.place - b.place;
  });
  return keyed.map((one) => one.row);
}

function sortable(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = make("button", head.textContent, { type: "button", class: "sort" });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const words = head.classList.contains("words");
      const before = head.getAttribute("aria-sort");
      const next = before === null ? (words ? "ascending" : "descending") : before === "ascending" ? "descending" : "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", next);
      body.append(...ordered(rows, column, next === "ascending" ? 1 : -1));
    });
  });
}

document.querySelectorAll("table[data-sortable]").forEach(sortable);

