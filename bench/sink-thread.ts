// Sink thread: the HTTP server that all contenders call. It parses as little HTTP as possible, so that the sink never
// limits a measurement. Its query parameters are those of the sandbox's /quick. Random choices come from a seed, so
// every contender gets the same ones.
import { createServer, type Socket } from "node:net";
import { parentPort } from "node:worker_threads";
import { clock } from "./clock.ts";
import { LAST_ACTION, type Arrival } from "./sink.ts";

type Behaviour = {
  readonly status: number;
  readonly share: number;
  readonly delayMs: number;
  readonly slowShare: number;
};

const HEAD_END = "\r\n\r\n";
const behaviours = new Map<string, Behaviour>();
const answered = new Set<string>();
let arrivals: Arrival[] = [];
let firings: number[] = [];
let requests = 0;
let repeats = 0;
let chance = randomNumbers(1);

const port = parentPort;
if (port === null) throw new Error("the sink runs in a worker thread");
port.on("message", (asked: "tally" | "firings") => {
  if (asked === "firings") return port.postMessage({ firings });
  port.postMessage({ tally: { requests, repeats } });
  answered.clear();
  firings = [];
  requests = 0;
  repeats = 0;
  chance = randomNumbers(1);
});

const server = createServer({ noDelay: true }, (socket) => {
  let held: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    for (let taken = handleFirst(held, socket); taken > 0; taken = handleFirst(held, socket))
      held = held.subarray(taken);
  });
  // The caller handles a broken connection.
  socket.on("error", () => socket.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) port.postMessage({ port: address.port });
});

/** Handles the first request in `held`. Returns its length in bytes, or 0 if it is incomplete. */
function handleFirst(held: Buffer, socket: Socket): number {
  const headEnd = held.indexOf(HEAD_END);
  if (headEnd < 0) return 0;
  const head = held.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`the sink understands bodies of a declared length only:\n${head}`);
  const end = headEnd + HEAD_END.length + Number(length);
  if (held.length < end) return 0;
  const target = head.slice(head.indexOf(" ") + 1, head.indexOf(" HTTP/"));
  const body = JSON.parse(held.toString("utf8", headEnd + HEAD_END.length, end)) as Call;
  receive(body, behaviourOf(target), socket);
  return end;
}

/** `firedAt`: when the timer before this call fired, as ISO 8601 or in milliseconds since 1970. */
type Call = { readonly ref: string; readonly action: string; readonly firedAt?: string | number };

function receive({ ref, action, firedAt }: Call, manner: Behaviour, socket: Socket): void {
  requests += 1;
  if (firedAt !== undefined) firings.push(new Date(firedAt).getTime());
  const status = chance() < manner.share ? manner.status : 200;
  const late = chance() < manner.slowShare ? manner.delayMs : 0;
  const answer = () => {
    const text = status === 200 ? '{"ok":true}' : '{"ok":false}';
    const head = `HTTP/1.1 ${status} Bench\r\nContent-Type: application/json\r\nContent-Length: ${text.length}`;
    socket.write(head + HEAD_END + text);
    if (status === 200) recordSuccess(ref, action);
  };
  if (late > 0) setTimeout(answer, late);
  else answer();
}

function recordSuccess(ref: string, action: string): void {
  const call = `${ref}/${action}`;
  if (answered.has(call)) repeats += 1;
  answered.add(call);
  if (action !== LAST_ACTION) return;
  if (arrivals.length === 0) setImmediate(report);
  arrivals.push([ref, clock()]);
}

function report(): void {
  port?.postMessage({ arrivals });
  arrivals = [];
}

function behaviourOf(target: string): Behaviour {
  const known = behaviours.get(target);
  if (known) return known;
  const query = new URL(target, "http://sink").searchParams;
  const of = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const status = of("status", 200);
  const delayMs = of("delayMs", 0);
  const manner = {
    status,
    share: status === 200 ? 0 : of("share", 1),
    delayMs,
    slowShare: delayMs === 0 ? 0 : of("slowShare", 1),
  };
  behaviours.set(target, manner);
  return manner;
}

/** Returns a seeded random number generator (mulberry32). */
function randomNumbers(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
