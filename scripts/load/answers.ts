// Load test answers: reads the API's answers and compares them with what the plan expects. Pure functions.
import { z } from "zod";
import type { LoadScenario } from "#schema/load.ts";
import type { HttpAnswer } from "./http.ts";

/** The API's answer about one action. */
export type Answer = {
  readonly status: number;
  readonly id: string | null;
  readonly repeated: boolean;
  /** The problem's code, or the connection's error message. Null for a success. */
  readonly code: string | null;
};

const made = z.looseObject({ action: z.looseObject({ id: z.string() }), repeated: z.boolean() });
const problem = z.looseObject({ code: z.string(), status: z.number() });
const batch = z.looseObject({
  results: z.array(
    z.union([
      z.looseObject({ ok: z.literal(true), id: z.string(), repeated: z.boolean() }),
      z.looseObject({ ok: z.literal(false), problem }),
    ]),
  ),
});

/** Returns one answer per action of a batch. Any other request has one answer. */
export function readAnswers({ status, body }: HttpAnswer): readonly Answer[] {
  const many = batch.safeParse(body);
  if (status < 300 && many.success) {
    return many.data.results.map((result) =>
      result.ok
        ? { status: result.repeated ? 200 : 201, id: result.id, repeated: result.repeated, code: null }
        : { status: result.problem.status, id: null, repeated: false, code: result.problem.code },
    );
  }
  const one = made.safeParse(body);
  if (status < 300 && one.success) {
    const { action, repeated } = one.data;
    return [{ status, id: action.id, repeated, code: null }];
  }
  const code = problem.safeParse(body).data?.code ?? (status === 0 ? String(body) : null);
  return [{ status, id: null, repeated: false, code }];
}

/** Whether the API refused the action because of load (or did not answer), and not because the request was wrong. */
export function isRefusedForLoad({ status }: Answer): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export function describeAnswer({ status, code }: Answer): string {
  return [status === 0 ? "no answer" : String(status), code ?? ""].join(" ").trim();
}

/** Describes each unexpected answer in one sentence. `answers` contains the answers to all copies of a request. */
export function findUnexpected({ expect, copies }: LoadScenario, answers: readonly Answer[]): readonly string[] {
  const wrong = answers
    .filter(({ status }) => !expect.status.includes(status))
    .map((each) => `answered ${describeAnswer(each)}`);
  if (wrong.length > 0 || copies === 1) return wrong;
  const repeated = answers.filter((each) => each.repeated).length;
  const ids = new Set(answers.map(({ id }) => id));
  return [
    ...(repeated === expect.repeated ? [] : [`${repeated} of ${copies} copies answered as repeats`]),
    ...(ids.size === copies - expect.repeated ? [] : [`${copies} copies made ${ids.size} actions`]),
  ];
}

const endings = new Set(["ok", "failed", "canceled", "skipped"]);
const view = z.looseObject({
  status: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullish(),
  held: z.looseObject({ reason: z.string() }).nullish(),
  attempts: z.array(z.looseObject({ error: z.looseObject({ type: z.string() }).nullish() })).nullish(),
});

export type ActionState = {
  readonly status: string;
  readonly isEnded: boolean;
  readonly held: string | null;
  /** Milliseconds from the action's creation to its end, by the engine's clock. Null while it has not ended. */
  readonly ms: number | null;
  /** The error types of the action's failed attempts. */
  readonly errors: readonly string[];
};

/** Reads an action's current state. Null if the body is not an action. */
export function readActionState(body: unknown): ActionState | null {
  const { data } = view.safeParse(body);
  if (data === undefined) return null;
  const ms = data.finishedAt == null ? null : Date.parse(data.finishedAt) - Date.parse(data.createdAt);
  return {
    status: data.status,
    isEnded: endings.has(data.status),
    held: data.held?.reason ?? null,
    ms,
    errors: (data.attempts ?? []).flatMap(({ error }) => error?.type ?? []),
  };
}
