// Keys, saving without loading the page anew, and patience with a server that does not answer. All pages work without.
"use strict";

const PATIENCE_MS = 2000;
let began = performance.now();
let busy = false;
let last = Promise.resolve();

const find = (selector) => document.querySelector(selector);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function fresh() {
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (one) => one.toString(16).padStart(2, "0")).join("");
}

function remembered(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* a browser that keeps nothing */ }
}

function inText(target) {
  return target instanceof Element && target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=hidden])");
}

// One request after the other, so that what was decided last stands.
function send(form, fields) {
  last = last.then(() => insist(form, fields));
  return last;
}

// The same request until the server has it: each decision carries its key, by which it counts once.
async function insist(form, fields) {
  const trouble = find("#trouble");
  for (;;) {
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields), credentials: "same-origin" });
      const text = await answer.text();
      if (answer.status < 502) {
        if (trouble) trouble.textContent = "";
        return { text, address: answer.url, ok: answer.ok };
      }
    } catch { /* no connection */ }
    if (trouble) trouble.textContent = "Not saved yet: the server does not answer. Trying again …";
    await wait(PATIENCE_MS);
  }
}

async function turn(form, submitter) {
  if (busy || !reasoned(form, submitter)) return;
  busy = true;
  document.body.classList.add("waiting");
  const seconds = form.elements.namedItem("seconds");
  if (seconds) seconds.value = ((performance.now() - began) / 1000).toFixed(1);
  const fields = new FormData(form);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  try {
    const answer = await send(form, fields);
    show(new DOMParser().parseFromString(answer.text, "text/html"), answer.address);
  } finally {
    busy = false;
    document.body.classList.remove("waiting");
  }
}

function reasoned(form, submitter) {
  const reasons = form.querySelector(".reasons");
  if (submitter?.value !== "cannot" || reasons.querySelector("input:checked") || form.elements.namedItem("other").value.trim()) return true;
  find("#trouble").textContent = "Say why you cannot tell.";
  find("#cannot").open = true;
  reasons.querySelector("input").focus();
  return false;
}

function show(page, address) {
  find("main").replaceWith(page.querySelector("main"));
  document.title = page.title;
  document.body.className = page.body.className;
  const header = page.querySelector("header");
  if (header && find("header")) find("header").replaceWith(header);
  const { pathname, search } = new URL(address);
  history.replaceState(null, "", pathname + (search.startsWith("?query=") ? search : ""));
  scrollTo(0, 0);
  find("main").focus({ preventScroll: true });
  prepare();
}

function prepare() {
  began = performance.now();
  const panel = find("#shortcuts");
  if (panel) panel.hidden = false;
  const keys = find("#keys");
  if (keys) keys.checked = remembered("keys") !== "off";
  const guideline = find("#guideline");
  if (guideline && remembered("guideline") !== guideline.dataset.version) {
    guideline.open = true;
    remember("guideline", guideline.dataset.version);
  } else if (guideline) {
    guideline.open = false;
  }
}

function toggle(selector, field) {
  const panel = find(selector);
  if (!panel) return false;
  panel.open = !panel.open;
  if (panel.open && field) panel.querySelector(field).focus();
  panel.scrollIntoView({ block: "nearest" });
  return true;
}

const PANELS = { c: ["#cannot", "input"], n: ["#note", "textarea"], i: ["#guideline", null], "?": ["#shortcuts", null] };

function press(event) {
  if (event.key === "Escape" && inText(event.target)) event.target.blur();
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || inText(event.target)) return;
  if (busy || find("#keys")?.checked === false) return;
  const listed = find("#listing");
  if (listed && move(event, listed)) return;
  const chosen = [...document.querySelectorAll("button[data-keys]")].find((one) => one.dataset.keys.split(" ").includes(event.key));
  if (chosen) {
    event.preventDefault();
    chosen.click();
  } else if (event.key in PANELS && toggle(...PANELS[event.key])) {
    event.preventDefault();
  }
}

function current(items) {
  const at = items.indexOf(document.activeElement?.closest("li[data-number]"));
  return at >= 0 ? at : items.findIndex((one) => !one.querySelector("input:checked"));
}

function move(event, listed) {
  const items = [...listed.querySelectorAll("li[data-number]")];
  const at = current(items);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    const began = document.activeElement?.closest("li[data-number]");
    items[Math.min(Math.max(began ? at + step : at, 0), items.length - 1)]?.focus();
    return true;
  }
  const choice = [...(items[at]?.querySelectorAll("input[data-keys]") ?? [])].find((one) => one.dataset.keys.split(" ").includes(event.key));
  if (!choice) return false;
  event.preventDefault();
  choice.checked = true;
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  (items[at + 1] ?? listed.querySelector(".finish button")).focus();
  return true;
}

// In a list each grade is saved as it is chosen. Another choice is another decision, so it gets another key.
async function keep(choice) {
  const item = choice.closest("li[data-number]");
  const key = item.querySelector(`input[name="key-${item.dataset.number}"]`);
  key.value = fresh();
  const said = item.querySelector(".saved");
  said.textContent = "…";
  const csrf = find("#listing").elements.namedItem("csrf").value;
  const fields = [["csrf", csrf], [key.name, key.value], [choice.name, choice.value]];
  const sent = key.value;
  const answer = await send(find("#listing"), fields);
  if (key.value === sent) said.textContent = answer.ok ? "saved" : "not saved";
}

document.addEventListener("keydown", press);
document.addEventListener("submit", (event) => {
  if (event.target.matches("#judging, #undoing, #listing")) {
    event.preventDefault();
    turn(event.target, event.submitter);
  }
});
document.addEventListener("change", (event) => {
  if (event.target.id === "keys") remember("keys", event.target.checked ? "on" : "off");
  if (event.target.matches("#listing input[type=radio]")) keep(event.target);
});
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) navigator.clipboard?.writeText(copy.dataset.copy).then(() => { copy.textContent = "Copied"; });
});
prepare();
