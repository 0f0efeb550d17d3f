// The room's filter works as a form; here it also works while one types.

const form = document.getElementById("filter");
const field = form.querySelector("[name=q]");
const PAUSE_MS = 250;
let timer = 0;

function filter() {
  const url = new URL(location.href);
  if (field.value.trim()) url.searchParams.set("q", field.value);
  else url.searchParams.delete("q");
  if (url.href === location.href) return;
  history.replaceState(null, "", url);
  const back = document.querySelector("#orders [name=back]");
  if (back) back.value = url.pathname + url.search;
  document.dispatchEvent(new Event("desk:filter"));
}

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(filter, PAUSE_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  filter();
});
