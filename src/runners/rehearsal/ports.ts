// Rehearsal ports: replace the engine and the platform. Each call is recorded and has no effect.
import type { Json, JsonObject } from "#schema/json.ts";
import type { MockAnswer, PortInteraction, Lookups } from "#schema/rehearsal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Signer } from "#schema/signer.ts";
import { taskId } from "#schema/ids.ts";
import { configurationFailure } from "../core/classify.ts";
import type { DatabasePort, EmailMessage, RunnerContext, ServicePort, StoredFile } from "../core/runner.ts";
import { base64 } from "../core/bytes.ts";
import type { RehearsalClock } from "./clock.ts";
import { placeholderFile } from "./mock-files.ts";

type Call = Pick<PortInteraction, "port" | "call" | "arguments">;
export type PortStage = {
  readonly ticket: Ticket;
  readonly lookups: Lookups;
  readonly clock: RehearsalClock;
  readonly signer: Signer;
  readonly installed: {
    readonly email: boolean;
    readonly files: boolean;
    readonly databases: readonly string[];
    readonly services: readonly string[];
  };
  /** Returns the mock for this call; null: the call gets the usual success. */
  readonly nextMock: () => MockAnswer | null;
  readonly record: (call: Call & Pick<PortInteraction, "answer" | "error" | "assumed">, begunAt: number) => void;
};

type Ports = Pick<RunnerContext, "email" | "files" | "databases" | "services" | "signer" | "tasks" | "engine">;

/** A time in ms that exceeds every deadline. A call that advances the clock by this time is aborted. */
export const FOREVER_MS = 366 * 24 * 60 * 60_000;

export function rehearsalPorts(stage: PortStage): Ports {
  const { ticket, lookups, clock, installed } = stage;
  return {
    email: installed.email
      ? {
          send: (message) =>
            answerThrowing(
              stage,
              recordOf("email", "send", { ...message, ...shownFiles(message) }),
              { messageId: "message-1" },
              (body) => ({ messageId: String(body["messageId"] ?? "message-1") }),
            ),
        }
      : undefined,
    files: installed.files ? { read: (key) => readPlaceholder(stage, key) } : undefined,
    databases: Object.fromEntries(installed.databases.map((name) => [name, databaseOf(stage, name)])),
    services: Object.fromEntries(installed.services.map((name) => [name, serviceOf(stage, name)])),
    signer: (chainId, address) => recordingSigner(stage, { chainId, address }),
    tasks: {
      create: async (task) => {
        const { dueDate, timezone } = task;
        const dueAt = dueDate === null ? null : lookups.dueAt(dueDate, timezone ?? "UTC", clock.now());
        const created =
          dueAt === undefined
            ? {
                ok: false as const,
                failure: configurationFailure(`dueDate is not a valid instant: ${dueDate}`, "due_date"),
              }
            : { ok: true as const, task: placeholderTask(ticket, dueAt) };
        return answerReturning(stage, recordOf("task", "create", task), created);
      },
      // A rehearsed action is the only action of its execution. No other action has created tasks that it could change.
      change: async (change) =>
        answerReturning(stage, recordOf("task", "change", change), { ok: true as const, tasks: [] }),
    },
    engine: {
      start: async (request) =>
        answerReturning(stage, recordOf("start_execution", "start", request), await lookups.start(ticket, request)),
      send: async (request) => {
        const sent = { ok: true as const, execution: request.execution, repeated: false };
        return answerReturning(stage, recordOf("send_event", "send", request), sent);
      },
    },
  };
}

function placeholderTask({ execution, run }: PortStage["ticket"], dueAt: number | null) {
  const id = taskId(execution, run);
  return { id, dueAt, touched: { run, id, isOpen: true } };
}

/** Builds the record of a call. Absent arguments are removed. */
function recordOf(port: Call["port"], call: string, argument: unknown): Call {
  return { port, call, arguments: asJson(argument) };
}

function asJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json); // JSON.parse returns only JSON
}

type MockedCall = { readonly mock: MockAnswer | null; readonly error: string | null; readonly begunAt: number };

/** Advances the clock by the mock's delay. If the mock is a timeout, the clock advances beyond every deadline. */
async function takeMock({ nextMock, clock }: PortStage): Promise<MockedCall> {
  const begunAt = clock.now();
  const mock = nextMock();
  const isRefused = (mock?.status ?? 200) >= 400;
  const error = mock?.error ?? (isRefused ? `it answered ${mock?.status}` : null);
  clock.pass(error === "timeout" ? FOREVER_MS : (mock?.delay ?? 0));
  return { mock, error, begunAt };
}

function hang<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** Answers a call of a port whose methods throw their errors. */
async function answerThrowing<T>(stage: PortStage, call: Call, usual: T, read: (body: JsonObject) => T): Promise<T> {
  const { mock, error, begunAt } = await takeMock(stage);
  const body = mock?.body;
  const isMocked = body !== null && typeof body === "object";
  // A mocked list contains the rows of a database.
  const answer = isMocked ? read((Array.isArray(body) ? { rows: body } : body) as JsonObject) : usual;
  stage.record({ ...call, answer: error === null ? asJson(answer) : null, error, assumed: mock === null }, begunAt);
  if (error === "timeout") return hang();
  if (error === null) return answer;
  throw Object.assign(new Error(error === "network_error" ? "the connection was lost" : error), { code: error });
}

type Failed = { readonly ok: false; readonly failure: ReturnType<typeof configurationFailure> };

/** Answers a call of a port whose methods return their errors. */
async function answerReturning<T extends { readonly ok: boolean }>(
  stage: PortStage,
  call: Call,
  usual: T,
): Promise<T | Failed> {
  const { mock, error, begunAt } = await takeMock(stage);
  // If the lookups refuse the call, the refusal is known and not assumed. For example, the definition does not exist.
  const assumed = mock === null && usual.ok;
  stage.record({ ...call, answer: error === null ? asJson(usual) : null, error, assumed }, begunAt);
  if (error === "timeout") return hang();
  if (error === null) return usual;
  const failure = { error: { type: "service_unavailable", message: error, retryable: true, code: "mocked" } };
  return { ok: false, failure };
}

/** Returns a placeholder file. Reading a file uses no mock, because mocks are for the action's own calls. */
async function readPlaceholder({ record, clock }: PortStage, key: string): Promise<StoredFile> {
  const answer = "a rehearsal fetches no files";
  record({ ...recordOf("files", "read", { r2: key }), answer, error: null, assumed: true }, clock.now());
  return placeholderFile();
}

/** Returns the attachments in base64, because the record is JSON. */
function shownFiles({ attachments }: EmailMessage): JsonObject {
  if (attachments === undefined) return {};
  return { attachments: attachments.map(({ content, ...file }) => ({ ...file, content: base64(content) })) };
}

function databaseOf(stage: PortStage, database: string): DatabasePort {
  const usual = { rows: [], rowsRead: 0, rowsWritten: 0 };
  return {
    query: (sql, params) =>
      answerThrowing<Awaited<ReturnType<DatabasePort["query"]>>>(
        stage,
        recordOf("database", "query", { database, sql, params }),
        usual,
        ({ rows, rowsRead, rowsWritten }) => ({
          rows: Array.isArray(rows) ? rows : [],
          rowsRead: Number(rowsRead ?? 0),
          rowsWritten: Number(rowsWritten ?? 0),
        }),
      ),
  };
}

/** A Worker that records the calls of its methods. Without a mock, a method returns null. */
function serviceOf(stage: PortStage, service: string): ServicePort {
  return {
    call: async (method, input, { signal: _unsent, ...call }) => {
      const { mock, error, begunAt } = await takeMock(stage);
      const answer = error === null ? (mock?.body ?? null) : null;
      const record = recordOf("worker", method, { service, method, input, context: call });
      stage.record({ ...record, answer, error, assumed: mock === null }, begunAt);
      if (error === "timeout") return hang();
      if (error !== null) throw new Error(error === "network_error" ? "the connection was lost" : error);
      return answer;
    },
  };
}

/**
 * A signer that records its calls. Its calls use no mocks, because the mocked node already causes all failures of a
 * chain.
 */
function recordingSigner({ signer, record, clock }: PortStage, address: JsonObject): Signer {
  const recorded =
    <Ask, Answer>(call: keyof Signer, perform: (ask: Ask) => Promise<Answer>) =>
    async (ask: Ask): Promise<Answer> => {
      const answer = await perform(ask);
      const request = { ...address, ask: asJson(ask) };
      record(
        { port: "signer", call, arguments: request, answer: asJson(answer), error: null, assumed: true },
        clock.now(),
      );
      return answer;
    };
  return {
    find: recorded("find", signer.find),
    reserve: recorded("reserve", signer.reserve),
    store: recorded("store", signer.store),
    wait: recorded("wait", signer.wait),
    renew: recorded("renew", signer.renew),
    releaseNonce: recorded("releaseNonce", signer.releaseNonce),
    confirm: (key, receipt) => recorded("confirm", () => signer.confirm(key, receipt))({ key, receipt }),
    fail: recorded("fail", signer.fail),
    planMaintenance: recorded("planMaintenance", signer.planMaintenance),
    recordMined: recorded("recordMined", signer.recordMined),
    overview: () => signer.overview(),
  };
}
