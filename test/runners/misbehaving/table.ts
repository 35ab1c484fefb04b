// Misbehaving table: performs a runner against every way of misbehaving, and formats the outcomes as a table.
import { runTicket } from "#runners/run.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, ask, drive, hour } from "#test/support/drive.ts";
import { hears } from "#test/support/one-mail.ts";
import { connectionTo, ticketFor, world, type Call } from "#test/runners/world.ts";
import { someTurns, type Good, type Misbehaving } from "./server.ts";
import { subjects, type Subject } from "./subjects.ts";
import { ways, type Way } from "./ways.ts";

const AT_ONCE = 24;

const HEAD = `
outcome      ok, and what the result says of the body (bodyIncomplete); or the error's type, code and effect
             held: under way, and the same attempt comes back to look
again        whether the runner says that another attempt may help
repeat       whether the next attempt, by itself or by a person's hand, says possiblyRepeated
arrived      requests that met the misbehaving server; others that the runner made
`;

export async function misbehavingTable(server: Misbehaving, name: string): Promise<string> {
  const subject = subjects[name];
  if (subject === undefined) throw new Error(`there is no subject ${name}`);
  const lines: string[] = [];
  for (let from = 0; from < ways.length; from += AT_ONCE) {
    const some = ways.slice(from, from + AT_ONCE);
    lines.push(...(await Promise.all(some.map((way) => lineOf(server, `${name}/${ways.indexOf(way)}`, subject, way)))));
  }
  return `${subject.about}\n${HEAD}\n${row("", "outcome", "again", "repeat", "arrived")}\n${lines.join("\n")}\n`;
}

function row(...[way, outcome, again, repeat, arrived]: readonly [string, string, string, string, string]): string {
  return `${way.padEnd(44)}${outcome.padEnd(60)}${again.padEnd(7)}${repeat.padEnd(8)}${arrived}`.trimEnd();
}

async function lineOf(server: Misbehaving, key: string, subject: Subject, way: Way): Promise<string> {
  const { outcome, others, arrived } = await performed(server, key, subject, way);
  const count = `${way.at === "answering" ? arrived : "-"}${others === 0 ? "" : ` + ${others}`}`;
  if (outcome.ok) {
    const { bodyIncomplete = "", truncated } = outcome.result as JsonObject; // these runners' results are objects
    const notes = ["ok", truncated === true ? "truncated" : "", String(bodyIncomplete)].filter((note) => note !== "");
    return row(way.name, notes.join(", "), "", "", count);
  }
  const { type, code = "", effect, retryable } = outcome.error;
  if (outcome.held !== undefined) return row(way.name, `held, ${outcome.held.reason}`, "", "", count);
  const said = `${type} ${code}${effect === undefined ? "" : `, effect ${effect}`}`;
  return row(way.name, said, retryable ? "again" : "no", saysRepeat(outcome) ? "says so" : "no", count);
}

async function performed(server: Misbehaving, key: string, subject: Subject, way: Way) {
  let [others, expire] = [0, () => undefined as void];
  const met: string[] = [];
  let answered = () => undefined as void;
  const isAnswered = new Promise<void>((resolve) => (answered = resolve));
  const silent = async () => {
    if (way.hangs === "answered") await isAnswered;
    await someTurns();
    expire();
  };
  const { answer, meets = () => true, account = {}, ports = () => ({}), ticket = {} } = subject;
  const surroundings = world(answer, {
    ...ports(),
    tokens: new Map(),
    connection: async (name, provider) => ({
      ok: true,
      connection: connectionTo(provider, { name: name ?? "main", ...account }),
    }),
    startTimer: (_, act) => {
      expire = act;
      return () => undefined;
    },
  });
  const fetchAll = async (url: string, init: RequestInit): Promise<Response> => {
    const call: Call = { url, init, request: new Request(url, { ...init, signal: null }) };
    if (!meets(call)) {
      others += 1;
      return answer(call);
    }
    const good = await goodOf(await answer(call));
    const path = `${key}/${met.length}`;
    met.push(path);
    server.expect(path, { act: way.act, good, hanging: () => void silent() });
    if (way.at === "deaf") void silent();
    const response = await fetch(`${server.bases[way.at]}/${path}`, init);
    answered();
    return response;
  };
  const outcome = await runTicket(ticketFor(subject.type, subject.config, ticket), {
    ...surroundings,
    fetch: fetchAll,
  });
  return { outcome, others, arrived: met.reduce((sum, path) => sum + server.arrived(path), 0) };
}

async function goodOf(response: Response): Promise<Good> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

/** A machine without a transition for the failure, because handled failures are not retried. */
const unheard = { ...hears, a: { on: { "action.mail.ok": "sent" } } };

/**
 * Settles an attempt with the outcome in the kernel, claims the next one, and returns whether that one may be a repeat.
 */
function saysRepeat(outcome: Outcome): boolean {
  const retryPolicy = { maxAttempts: 2, backoffStrategy: "fixed", baseDelay: 1_000 } as const;
  const t = drive({ states: unheard, actions: [action("mail", { triggerState: "a", retryPolicy })] }).start();
  t.claim("mail").settle("mail", outcome).tickAt(hour);
  if (t.run("mail").deadLetter) t.take(ask.retry("1.0"));
  return t.claim("mail").run("mail").attempts.at(-1)?.possiblyRepeated === true;
}
