// Small helpers for building the page.

/** An element: `on…` are listeners, booleans set or leave out, the rest are attributes. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  set(element, attributes);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

/** Set attributes as `h` does; null and false take one away. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === null || value === false || value === undefined) {
      element.removeAttribute(name);
    } else if (element.getAttribute(name) !== `${value === true ? "" : value}`) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  return element;
}

/** Put new children in place of the old ones, unless they look the same. */
export function fill(element, ...children) {
  const next = h("div", {}, ...children);
  if (next.innerHTML !== element.innerHTML) element.replaceChildren(...next.childNodes);
}

/** A button of the page's. */
export function button(attributes, ...children) {
  return h("button", { type: "button", ...attributes }, ...children);
}
