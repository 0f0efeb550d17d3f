// Holds the page's codec and link to the normative vectors; what differs is returned.
// Loaded by test_web_vectors.py into a real browser.

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const plain = (value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? hex(each) : each)));
const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};
const BYTES = ["nonce", "asked", "proof", "content"];
const messageOf = (value) =>
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, BYTES.includes(name) ? bytes(each) : each]),
  );

export async function differences(base, vectors) {
  const load = (name) => import(`${base}/${name}.js`);
  const [codec, frames, pairing, log, link] = await Promise.all(
    ["codec", "frames", "pairing", "log", "link"].map(load),
  );
  const found = [];
  let count = 0;
  const same = (what, got, wanted) => {
    count += 1;
    const [one, other] = [got, wanted].map((value) => JSON.stringify(sorted(plain(value))));
    if (one !== other) found.push(`${what}: expected ${other}, got ${one}`);
  };
  const reading = (body) => {
    try {
      return codec.decode(body);
    } catch (error) {
      if (!(error instanceof codec.Rejected)) throw error;
      return error;
    }
  };

  for (const { name, body, frame } of vectors.frames.encode) {
    same(`frame of ${name}`, frames.frameOf(bytes(body)), frame);
    same(`body of ${name}`, new frames.FrameDecoder().receive(bytes(frame)), [body]);
  }
  for (const { name, stream, bodies, ...counters } of vectors.frames.decode) {
    for (const step of [1, 3, 1000]) {
      const decoder = new frames.FrameDecoder();
      const got = [];
      const whole = bytes(stream);
      for (let at = 0; at < whole.length; at += step) {
        got.push(...decoder.receive(whole.subarray(at, at + step)));
      }
      same(`bodies of ${name} by ${step}`, got, bodies);
      for (const [counter, wanted] of Object.entries(counters)) {
        same(`${counter} of ${name} by ${step}`, decoder.counters[counter], wanted);
      }
    }
  }

  const { messages } = vectors;
  for (const { name, message, bodies, part_id: partId } of messages.encode) {
    same(`bodies of ${name}`, codec.encode(messageOf(message), partId), bodies);
    const reassembler = new codec.Reassembler();
    let body = bytes(bodies[0]);
    if (bodies.length > 1) {
      body = bodies.map((each) => reassembler.receive(codec.decode(bytes(each)))).at(-1);
    }
    same(`message of ${name}`, codec.decode(body), message);
  }
  for (const { name, body, message } of messages.decode) same(name, reading(bytes(body)), message);
  for (const { name, body } of messages.rejected) {
    const error = reading(bytes(body));
    same(`${name} rejected`, [error instanceof codec.Rejected, error?.event], [true, null]);
  }
  for (const { name, body, boot, n } of messages.malformed) {
    same(`${name} malformed`, reading(bytes(body)).event, { boot, n });
  }
  for (const { name, body } of messages.unknown) same(name, reading(bytes(body)), null);
  for (const { name, parts, contents } of vectors.parts) {
    const reassembler = new codec.Reassembler();
    const wholes = parts.map((each) => reassembler.receive(codec.decode(bytes(each))));
    same(name, wholes.filter((each) => each !== null), contents);
  }
  for (const each of vectors.proofs) {
    const [key, daemon, terminal] = [each.key, each.daemon_nonce, each.terminal_nonce].map(bytes);
    const args = [key, daemon, terminal, each.serial];
    same("terminal's proof", pairing.terminalProof(...args), each.terminal_proof);
    same("daemon's proof", pairing.daemonProof(...args), each.daemon_proof);
  }
  for (const { typed, code, terminal, key } of vectors.codes) {
    same(`code ${typed}`, pairing.readCode(typed), code);
    same(`key of ${code}`, pairing.keyOfCode(code, terminal), key);
  }

  for (const each of vectors.conversations.filter(({ end }) => end === "terminal")) {
    converse(each, { log, link, same });
  }
  return { found, count };
}

function converse(given, { log, link, same }) {
  const kept = new log.MemoryLog(given.boot, { isVolatile: given.volatile });
  kept.entries = given.log.map(([, boot, n, seat, play, rev, , kind, hand, data]) => ({
    boot,
    n,
    event: { message: "EVENT", boot, n, seat, play, rev, age_ms: 0, kind, hand, data },
    pressed: null,
  }));
  kept.numbered = new Map(given.held.map(([boot, , next]) => [boot, next]));
  let count = 0;
  const nonce = () => {
    count += 1;
    return new Uint8Array(16).fill(count);
  };
  const end = new link.TerminalLink(
    given.identity, kept, nonce, given.key ? bytes(given.key) : null,
  );
  end.vitals = given.vitals;
  for (const [number, step] of given.steps.entries()) {
    const { now } = step;
    if (step.do === "open") end.opened(now);
    else if (step.do === "close") end.closed();
    else if (step.do === "tick") end.tick(now);
    else if (step.do === "press") end.press(step.press, now);
    else for (const frame of step.frames) end.receiveData(bytes(frame), now);
    const where = `${given.name}, step ${number} at ${now} (${step.do})`;
    same(`${where}: sends`, end.dataToSend(), step.sends);
    const happened = end.occurrences().map(({ event, reason, ...rest }) =>
      event === "rejected" ? { event } : { event, ...(reason ? { reason } : {}), ...rest },
    );
    same(`${where}: events`, happened, step.events);
    same(`${where}: state`, end.state, step.state);
    same(`${where}: deadline`, end.deadline(), step.deadline);
  }
}
