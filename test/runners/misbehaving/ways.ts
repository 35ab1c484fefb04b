// Ways of misbehaving: what the server does with the bare socket instead of a valid answer: broken protocols, statuses,
// and bodies.
import { brotliCompressSync, gzipSync } from "node:zlib";
import { someTurns, type Act, type Good, type Misbehaving } from "./server.ts";

export type Way = {
  readonly name: string;
  readonly at: keyof Misbehaving["bases"];
  readonly act: Act;
  /** When the way hangs until the deadline: after the request, or after its headers. */
  readonly hangs?: "asked" | "answered";
};

const at = (name: string, where: Way["at"], more: Partial<Way> = {}): Way => ({
  name,
  at: where,
  act: (socket) => socket.destroy(),
  ...more,
});
const act = (name: string, how: Act, hangs?: Way["hangs"]): Way =>
  at(name, "answering", hangs === undefined ? { act: how } : { act: how, hangs });

type Headers = Record<string, string | number>;
const head = (status: number, headers: Headers = {}) =>
  [`HTTP/1.1 ${status} Said`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join(
    "\r\n",
  );
const close = { Connection: "close" };

const says =
  (text: string | Buffer): Act =>
  (socket) =>
    void socket.end(text);
const whole = ({ status, headers, body }: Good, over: Headers = {}) =>
  head(status, { ...headers, "Content-Length": Buffer.byteLength(body), ...close, ...over }) + body;

const speaking: readonly Way[] = [
  act("answers well", (socket, good) => socket.end(whole(good))),
  at("nobody listens", "nobody"),
  at("speaks no TLS", "tls"),
  at("resets whoever comes", "resetting"),
  at("takes the connection and never reads", "deaf", { hangs: "asked" }),
  act("reads, and resets", (socket) => void socket.resetAndDestroy()),
  act("reads, and closes", (socket) => void socket.end()),
  act("reads, and never answers", (_, __, hanging) => hanging(), "asked"),
  act("says no HTTP", says("SSH-2.0-OpenSSH_9.6\r\n\r\n")),
  act("says noise", says(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10]))),
  act("says a word for a status", says("HTTP/1.1 okay fine\r\n\r\n")),
  act("stops in the midst of its status line", says("HTTP/1.1 20")),
  act("stops in the midst of its headers", says("HTTP/1.1 200 OK\r\nContent-Type: appl")),
  act(
    "goes silent in the midst of its headers",
    (socket, _, hanging) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: appl");
      hanging();
    },
    "asked",
  ),
  act("sends 100 KB of headers", (socket, good) => socket.end(whole(good, { "X-Long": "x".repeat(100_000) }))),
  act("gives two lengths", (socket, good) => socket.end(whole(good, { "Content-length": 3 }))),
  act("gives a length that is no number", (socket, good) => socket.end(whole(good, { "Content-Length": "many" }))),
  act("speaks HTTP/1.0, without a length", (socket, good) => {
    const { status, headers, body } = good;
    socket.end((head(status, headers) + body).replace("HTTP/1.1", "HTTP/1.0"));
  }),
  act("asks to go on first (100)", (socket, good) => socket.end(head(100) + whole(good))),
  act("hints first (103)", (socket, good) => socket.end(head(103, { Link: "</a>; rel=preload" }) + whole(good))),
  act("switches protocols (101)", says(head(101, { Upgrade: "other", Connection: "upgrade" }))),
];

/**
 * All statuses except 407 and 421, which Node's fetch handles itself. As text, because the formatter would put each
 * number on its own line.
 */
const STATUSES = `
  200 201 202 203 204 205 206 226 300 301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 411 412 413 415 418 422 423 424 425 426
  428 429 431 451 499 500 501 502 503 504 505 507 508 511 520 521 522 524 529 530 599
`
  .trim()
  .split(/\s+/)
  .map(Number);

const statuses = STATUSES.map((status): Way => {
  const refuses = status >= 300;
  const location: Headers = status < 400 && refuses && status !== 304 ? { Location: "/again" } : {};
  const wait: Headers = status === 429 || status === 503 ? { "Retry-After": 3 } : {};
  const bodiless = status === 204 || status === 205 || status === 304;
  return act(`${status}${"Location" in location ? ", in a circle" : ""}`, (socket, good) => {
    const body = bodiless ? "" : refuses ? '{"error":"no"}' : good.body;
    const { "Content-Length": _, ...headers } = { ...good.headers, ...location, ...wait } as Headers;
    socket.end(whole({ status, headers: headers as Record<string, string>, body }));
  });
});

/** The body of a valid answer, or a neutral one if the answer has none. */
const spoken = ({ body }: Good) => (body === "" ? '{"taken":true}' : body);
const typed = ({ headers }: Good) => ({ "content-type": "application/json", ...headers });

const bodied = (name: string, answer: (good: Good) => { headers?: Headers; body: string | Buffer }, how?: Act): Way =>
  act(name, (socket, good, hanging) => {
    const { headers = {}, body } = answer(good);
    socket.write(
      head(good.status, { ...typed(good), "Content-Length": Buffer.byteLength(body), ...close, ...headers }),
    );
    socket.write(body);
    (how ?? ((open) => void open.end()))(socket, good, hanging);
  });
const longer = { "Content-Length": 5_000 };
const half = (good: Good) => ({ headers: longer, body: spoken(good).slice(0, spoken(good).length / 2) });
/** The connection stays open, because Node treats a body with "Connection: close" as complete. */
const chunked = (good: Good) => head(good.status, { ...typed(good), "Transfer-Encoding": "chunked" });
const silent = (way: Way): Way => ({ ...way, hangs: "answered" });
const hang: Act = (_, __, hanging) => hanging();

const cut: readonly Way[] = [
  bodied("body: cut off in its midst", half),
  bodied("body: reset in its midst", half, (socket) => void someTurns().then(() => socket.resetAndDestroy())),
  bodied("body: whole, and shorter than it says", (good) => ({ headers: longer, body: spoken(good) })),
  bodied("body: longer than it says", (good) => ({ headers: { "Content-Length": 3 }, body: spoken(good) })),
  bodied("body: none of what it says", () => ({ headers: longer, body: "" })),
  silent(bodied("body: silent from its beginning", () => ({ headers: longer, body: "" }), hang)),
  silent(bodied("body: silent from its midst", half, hang)),
  silent(bodied("body: whole, and silent then", (good) => ({ headers: longer, body: spoken(good) }), hang)),
  act("body: in chunks", (socket, good) => {
    const body = spoken(good);
    socket.end(`${chunked(good)}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  }),
  act("body: in chunks, without the last", (socket, good) => {
    socket.end(`${chunked(good)}${(5_000).toString(16)}\r\n${spoken(good)}`);
  }),
  act("body: in chunks that are none", (socket, good) => socket.end(`${chunked(good)}zzz\r\n${spoken(good)}`)),
  act("body: in drops", (socket, good) => {
    const body = spoken(good);
    socket.write(head(good.status, { ...typed(good), "Content-Length": Buffer.byteLength(body), ...close }));
    const drip = (from: number) => {
      if (from >= body.length) return void socket.end();
      socket.write(body.slice(from, from + 30));
      setTimeout(drip, 1, from + 30);
    };
    drip(0);
  }),
];

const packed = (encoding: string, body: (good: Good) => Buffer) => (good: Good) => ({
  headers: { "Content-Encoding": encoding },
  body: body(good),
});
const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
const compressed: readonly Way[] = [
  bodied(
    "body: gzip",
    packed("gzip", (good) => gzipSync(spoken(good))),
  ),
  bodied(
    "body: brotli",
    packed("br", (good) => brotliCompressSync(spoken(good))),
  ),
  bodied(
    "body: gzip that is none",
    packed("gzip", (good) => Buffer.from(spoken(good))),
  ),
  bodied(
    "body: gzip cut off",
    packed("gzip", (good) => gzipSync(spoken(good)).subarray(0, 25)),
  ),
  bodied(
    "body: 50 MB as 50 KB of gzip",
    packed("gzip", () => bomb),
  ),
  bodied(
    "body: packed as nobody knows",
    packed("zzz", (good) => Buffer.from(spoken(good))),
  ),
];

function padded(good: Good, bytes: number): string {
  const body = spoken(good);
  const pad = "x".repeat(bytes);
  return body.startsWith("{") ? `{"padding":"${pad}",${body.slice(1)}` : body + pad;
}
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const inField = (good: Good, text: string) =>
  spoken(good).startsWith("{") ? `{"more":${text},${spoken(good).slice(1)}` : text;
const large: readonly Way[] = [
  bodied("body: 20 KB", (good) => ({ body: padded(good, 20_000) })),
  bodied("body: 900 KB", (good) => ({ body: padded(good, 900_000) })),
  bodied("body: 2 MB", (good) => ({ body: padded(good, 2_000_000) })),
  bodied("body: 5 MB", (good) => ({ body: padded(good, 5_000_000) })),
  bodied("body: nested 90 deep", (good) => ({ body: inField(good, nested(90)) })),
  bodied("body: nested 8,000 deep", (good) => ({ body: inField(good, nested(8_000)) })),
  bodied("body: nested 400,000 deep", () => ({ body: nested(400_000) })),
];

const typedAs = (type: string, body: (good: Good) => string | Buffer) => (good: Good) => ({
  headers: { "content-type": type },
  body: body(good),
});
const utf16 = (good: Good) => Buffer.from(`\ufeff${spoken(good)}`, "utf16le");
const strange: readonly Way[] = [
  bodied("body: empty", () => ({ body: "" })),
  bodied("body: null", () => ({ body: "null" })),
  bodied("body: a list", () => ({ body: "[1,2]" })),
  bodied("body: a number", () => ({ body: "7" })),
  bodied("body: an object that says nothing", () => ({ body: "{}" })),
  bodied(
    "body: a page, as a page",
    typedAs("text/html", () => "<html>It works!</html>"),
  ),
  bodied("body: a page that calls itself JSON", () => ({ body: "<html>It works!</html>" })),
  bodied("body: JSON with a comma too many", (good) => ({ body: `${spoken(good).slice(0, -1)},}` })),
  bodied("body: JSON, twice", (good) => ({ body: spoken(good) + spoken(good) })),
  bodied("body: zero bytes", () => ({ body: "\0\0\0\0" })),
  bodied("body: JSON with a zero byte behind", (good) => ({ body: `${spoken(good)}\0` })),
  bodied("body: JSON with __proto__", (good) => ({ body: inField(good, '{"__proto__":{"ok":false}}') })),
  bodied("body: with a byte order mark", (good) => ({ body: `\ufeff${spoken(good)}` })),
  bodied(
    "body: in Latin-1",
    typedAs("application/json; charset=iso-8859-1", (good) => Buffer.from(inField(good, '"é"'), "latin1")),
  ),
  bodied("body: in UTF-16", typedAs("application/json; charset=utf-16", utf16)),
  bodied("body: in letters that nobody knows", typedAs("application/json; charset=klingon", spoken)),
  bodied(
    "body: a picture",
    typedAs("image/png", () => Buffer.from([137, 80, 78, 71])),
  ),
  bodied("body: of no type", typedAs("", spoken)),
];

const refusing = (name: string, status: number, way: Way): Way => ({
  ...way,
  name,
  act: (socket, good, hanging) => way.act(socket, { ...good, status, body: '{"error":"no"}' }, hanging),
});
const named = (name: string): Way =>
  [...cut, ...large].find((way) => way.name === name) ?? speaking[0] ?? at("", "nobody");
const refusals: readonly Way[] = [
  refusing("400, cut off in its midst", 400, named("body: cut off in its midst")),
  refusing("429, silent from its midst", 429, named("body: silent from its midst")),
  refusing("500, nested 8,000 deep", 500, named("body: nested 8,000 deep")),
  refusing("503, 5 MB", 503, named("body: 5 MB")),
];

export const ways: readonly Way[] = [
  ...speaking,
  ...statuses,
  ...cut,
  ...compressed,
  ...large,
  ...strange,
  ...refusals,
];
