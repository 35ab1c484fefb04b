// Rehearsal ports: replace the engine and the platform. Each call is recorded and has no effect.
import type { Json, JsonObject } from "#schema/json.ts";
import type { MockAnswer, PortInteraction, Lookups } from "#schema/rehearsal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Signer } from "#schema/signer.ts";
import { taskId } from "#schema/ids.ts";
import { configurationFailure } from "../core/classify.ts";
import type { DatabasePort, EmailMessage, RunnerContext, StoredFile } from "../core/runner.ts";
import { base64 } from "../core/bytes.ts";
import type { RehearsalClock } from "./clock.ts";
import { storedStandIn } from "./mock-files.ts";

type Call = Pick<PortInteraction, "port" | "call" | "arguments">;
export type PortStage = {
  readonly ticket: Ticket;
  readonly lookups: Lookups;
  readonly clock: RehearsalClock;
  readonly signer: Signer;
  readonly installed: { readonly email: boolean; readonly files: boolean; readonly databases: readonly string[] };
  /** Returns the mock for this call. null: the usual success. */
  readonly next: () => MockAnswer | null;
  readonly note: (call: Call & Pick<PortInteraction, "answer" | "error" | "assumed">, begunAt: number) => void;
};

type Ports = Pick<RunnerContext, "email" | "files" | "databases" | "signer" | "tasks" | "engine">;

/** Longer than any deadline. A call that advances the clock by this time is aborted. */
export const FOREVER_MS = 366 * 24 * 60 * 60_000;

export function rehearsalPorts(on: PortStage): Ports {
  const { ticket, lookups, clock, installed } = on;
  return {
    email: installed.email
      ? {
          send: (message) =>
            thrown(
              on,
              callOf("email", "send", { ...message, ...shownFiles(message) }),
              { messageId: "message-1" },
              (body) => ({ messageId: String(body["messageId"] ?? "message-1") }),
            ),
        }
      : undefined,
    files: installed.files ? { read: (key) => standInFor(on, key) } : undefined,
    databases: Object.fromEntries(installed.databases.map((name) => [name, databaseOf(on, name)])),
    signer: (chainId, address) => notedSigner(on, { chainId, address }),
    tasks: {
      create: async (task) => {
        const { dueDate, timezone } = task;
        const dueAt = dueDate === null ? null : lookups.dueAt(dueDate, timezone ?? "UTC", clock.now());
        const made =
          dueAt === undefined
            ? {
                ok: false as const,
                failure: configurationFailure(`dueDate is not a valid moment: ${dueDate}`, "due_date"),
              }
            : { ok: true as const, task: madeTask(ticket, dueAt) };
        return returned(on, callOf("task", "create", task), made);
      },
      // A rehearsed action is standalone, so no other action has created tasks.
      change: async (change) => returned(on, callOf("task", "change", change), { ok: true as const, tasks: [] }),
    },
    engine: {
      start: async (asked) =>
        returned(on, callOf("start_execution", "start", asked), await lookups.start(ticket, asked)),
      send: async (asked) => {
        const sent = { ok: true as const, execution: asked.execution, repeated: false };
        return returned(on, callOf("send_event", "send", asked), sent);
      },
    },
  };
}

function madeTask({ execution, run }: PortStage["ticket"], dueAt: number | null) {
  const id = taskId(execution, run);
  return { id, dueAt, touched: { run, id, isOpen: true } };
}

/** Builds the record of a call. Absent arguments are removed. */
function callOf(port: Call["port"], call: string, asked: unknown): Call {
  return { port, call, arguments: plain(asked) };
}

function plain(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json); // JSON.parse returns only JSON
}

type Waited = { readonly mock: MockAnswer | null; readonly error: string | null; readonly begunAt: number };

/** Advances the clock by the mock's delay. A mocked timeout advances it beyond every deadline. */
async function wait({ next, clock }: PortStage): Promise<Waited> {
  const begunAt = clock.now();
  const mock = next();
  const isRefused = (mock?.status ?? 200) >= 400;
  const error = mock?.error ?? (isRefused ? `it answered ${mock?.status}` : null);
  clock.pass(error === "timeout" ? FOREVER_MS : (mock?.delay ?? 0));
  return { mock, error, begunAt };
}

function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** Answers a call of a port that throws its errors. */
async function thrown<T>(on: PortStage, call: Call, usual: T, read: (body: JsonObject) => T): Promise<T> {
  const { mock, error, begunAt } = await wait(on);
  const body = mock?.body;
  const isGiven = body !== null && typeof body === "object";
  // A mocked list means the rows of a database.
  const answer = isGiven ? read((Array.isArray(body) ? { rows: body } : body) as JsonObject) : usual;
  on.note({ ...call, answer: error === null ? plain(answer) : null, error, assumed: mock === null }, begunAt);
  if (error === "timeout") return never();
  if (error === null) return answer;
  throw Object.assign(new Error(error === "network_error" ? "the connection was lost" : error), { code: error });
}

type Failed = { readonly ok: false; readonly failure: ReturnType<typeof configurationFailure> };

/** Answers a call of a port that returns its errors. */
async function returned<T extends { readonly ok: boolean }>(on: PortStage, call: Call, usual: T): Promise<T | Failed> {
  const { mock, error, begunAt } = await wait(on);
  // A refusal by the lookups is a fact, not an assumption: for example, the definition does not exist.
  const assumed = mock === null && usual.ok;
  on.note({ ...call, answer: error === null ? plain(usual) : null, error, assumed }, begunAt);
  if (error === "timeout") return never();
  if (error === null) return usual;
  const failure = { error: { type: "service_unavailable", message: error, retryable: true, code: "mocked" } };
  return { ok: false, failure };
}

/** Returns a placeholder file. It uses no mock, because mocks are for the action's own calls. */
async function standInFor({ note, clock }: PortStage, key: string): Promise<StoredFile> {
  const answer = "a rehearsal fetches no files";
  note({ ...callOf("files", "read", { r2: key }), answer, error: null, assumed: true }, clock.now());
  return storedStandIn();
}

/** Returns the attachments in base64, because the record is JSON. */
function shownFiles({ attachments }: EmailMessage): JsonObject {
  if (attachments === undefined) return {};
  return { attachments: attachments.map(({ content, ...file }) => ({ ...file, content: base64(content) })) };
}

function databaseOf(on: PortStage, database: string): DatabasePort {
  const usual = { rows: [], rowsRead: 0, rowsWritten: 0 };
  return {
    query: (sql, params) =>
      thrown<Awaited<ReturnType<DatabasePort["query"]>>>(
        on,
        callOf("database", "query", { database, sql, params }),
        usual,
        ({ rows, rowsRead, rowsWritten }) => ({
          rows: Array.isArray(rows) ? rows : [],
          rowsRead: Number(rowsRead ?? 0),
          rowsWritten: Number(rowsWritten ?? 0),
        }),
      ),
  };
}

/** A signer that records its calls. It has no mocks: failures of a chain come from the node. */
function notedSigner({ signer, note, clock }: PortStage, whose: JsonObject): Signer {
  const noted =
    <Ask, Answer>(call: keyof Signer, perform: (ask: Ask) => Promise<Answer>) =>
    async (ask: Ask): Promise<Answer> => {
      const answer = await perform(ask);
      const asked = { ...whose, ask: plain(ask) };
      note({ port: "signer", call, arguments: asked, answer: plain(answer), error: null, assumed: true }, clock.now());
      return answer;
    };
  return {
    find: noted("find", signer.find),
    reserve: noted("reserve", signer.reserve),
    store: noted("store", signer.store),
    wait: noted("wait", signer.wait),
    renew: noted("renew", signer.renew),
    giveBack: noted("giveBack", signer.giveBack),
    confirm: (key, receipt) => noted("confirm", () => signer.confirm(key, receipt))({ key, receipt }),
    fail: noted("fail", signer.fail),
    tend: noted("tend", signer.tend),
    judge: noted("judge", signer.judge),
    overview: () => signer.overview(),
  };
}
