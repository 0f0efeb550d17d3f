// Which keys a display locks (protocol/README.md, D8, D9, K3).

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a display locks a key; what it offers as a choice it never locks. */
export function isLocked(display, { kind, data }) {
  if (!display) return kind !== "director"; // E7
  if (display.choices.some(([offered, its]) => offered === kind && same(its, data))) return false;
  const names = [kind];
  if (kind === "call" || kind === "card") names.push(`${data[0]}`);
  if (kind === "call" && data[1] === true) names.push("alert");
  return names.some((name) => display.locks.includes(name));
}
