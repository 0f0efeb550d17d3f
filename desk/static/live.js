// Keeps a page up to date: the server sends the HTML of what has changed
// (desk/live.py), and this puts it in place. The element with data-live names the
// address, data-since the change that the page was drawn at, data-list its list.

const page = document.querySelector("[data-live]");
const list = page.querySelector("[data-list]");
const lost = document.getElementById("lost");
const over = document.getElementById("over");
const announcer = document.getElementById("announce");

const SILENT_MS = 25000; // the server says something every 10 s
const AGAIN_MS = 3000;

let source = null;
let heard = 0;
let since = page.dataset.since;

function element(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content.firstElementChild;
}

// Clocks show time passed; the server tells the seconds at the moment of drawing.
function startClocks(root) {
  for (const clock of root.querySelectorAll("[data-age]")) {
    clock.began = performance.now() - 1000 * Number(clock.dataset.age);
  }
}

function tick() {
  for (const clock of document.querySelectorAll("[data-age]")) {
    const seconds = Math.max(0, Math.floor((performance.now() - clock.began) / 1000));
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const two = (number) => String(number).padStart(2, "0");
    const told = hours ? `${hours}:${two(minutes)}` : `${minutes}`;
    clock.querySelector(".time").textContent = `${told}:${two(seconds % 60)}`;
  }
}

// What a person is doing stays: where the focus is, what is typed, what is open.
function replace(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  for (const field of old.querySelectorAll("input, select, textarea")) {
    const twin = field.id && fresh.querySelector(`#${CSS.escape(field.id)}`);
    if (!twin) continue;
    if (field.type === "checkbox" || field.type === "radio") twin.checked = field.checked;
    else if (field.type !== "hidden") twin.value = field.value;
  }
  for (const details of old.querySelectorAll("details[id]")) {
    const twin = fresh.querySelector(`#${CSS.escape(details.id)}`);
    if (twin) twin.open = details.open;
  }
  old.replaceWith(fresh);
  if (focused) refocus(focused, fresh);
}

function refocus(focused, fallback) {
  const twin = focused.id && document.getElementById(focused.id);
  const next = twin || fallback;
  if (!twin && !next.matches("a, button, input, select, textarea")) next.tabIndex = -1;
  next.focus({ preventScroll: true });
}

function put(id, html) {
  const fresh = element(html);
  const old = document.getElementById(id);
  if (old) replace(old, fresh);
  else if (list) list.append(fresh);
  startClocks(fresh);
}

// Only what stands in another place is moved: a moved element loses the focus.
function arrange(order) {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const wanted = new Set(order);
  for (const child of [...list.children]) if (!wanted.has(child.id)) child.remove();
  let next = list.firstElementChild;
  for (const id of order) {
    const child = document.getElementById(id);
    if (!child) continue;
    if (child === next) next = next.nextElementSibling;
    else list.insertBefore(child, next);
  }
  if (focused && focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true });
  }
}

function announce(texts) {
  if (texts && texts.length) announcer.textContent = texts.join(". ");
}

function update(event) {
  const change = JSON.parse(event.data);
  for (const [id, html] of Object.entries(change.fragments || {})) put(id, html);
  if (change.order && list) arrange(change.order);
  announce(change.announce);
  if (change.title) document.title = change.title;
  since = event.lastEventId;
  told(true);
  tick();
}

// Whether the page is up to date, for people and (data-state) for scripts.
function told(isLive) {
  lost.hidden = isLive;
  page.dataset.state = isLive ? "live" : "lost";
}

function connect() {
  if (!over.hidden) return;
  if (source) source.close();
  const url = new URL(page.dataset.live, location.href);
  url.search = location.search;
  url.searchParams.set("since", since);
  heard = performance.now();
  source = new EventSource(url);
  source.addEventListener("message", (event) => {
    heard = performance.now();
    update(event);
  });
  source.addEventListener("beat", () => {
    heard = performance.now();
  });
  source.addEventListener("over", () => {
    source.close();
    source = null;
    told(false);
    lost.hidden = true;
    over.hidden = false;
  });
  source.addEventListener("error", () => {
    if (source === null) return;
    told(false);
    // The browser tries again by itself, unless the answer was none that it takes.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MS);
  });
}

function watch() {
  tick();
  if (source && performance.now() - heard > SILENT_MS) {
    told(false); // a line that is cut says nothing, not even that it is
    connect();
  }
}

// Another filter: draw all, without loading the page anew.
document.addEventListener("desk:filter", () => {
  since = "";
  connect();
});
// A page that comes back from the browser's memory has missed what came meanwhile.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) connect();
});
window.addEventListener("online", connect);
window.addEventListener("offline", () => {
  if (source) told(false);
});
window.addEventListener("pagehide", () => source && source.close());

startClocks(document);
connect();
setInterval(watch, 1000);
