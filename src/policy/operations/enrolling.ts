// Decides about a list of subjects to enroll, until it is started: which parts may be added, and how long the list
// waits for its start. After its start, a list is processed like any other operation (pace.ts).
import {
  ENROLMENT_BYTES_MAX,
  ENROLMENT_FAILURE_CHARS_MAX,
  ENROLMENT_LINES_MAX,
  ENROLMENT_OPEN_MS_MAX,
  ENROLMENT_PARTS_MAX,
} from "#schema/limits/subjects/enrolment-lists.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { AppendAnswer, LineFailure, Part } from "#schema/subject/enrolling.ts";
import { abortOperation, openOperation, type OperationState } from "./pace.ts";

export function openList(terms: OperationRequest): OperationState {
  const opened = openOperation(terms);
  return { ...opened, status: "open", nextAt: terms.createdAt + ENROLMENT_OPEN_MS_MAX, upload: { parts: 0, bytes: 0 } };
}

export type AppendResult = { readonly state: OperationState; readonly answer: AppendAnswer };

/**
 * Adds a part to the list. `knownFingerprint`: the fingerprint of the stored part with this number; null if there is
 * none. `bytes`: the size of the new part in storage.
 */
export function appendPart(
  state: OperationState,
  { part, lines, fingerprint }: Part,
  knownFingerprint: string | null,
  bytes: number,
): Result<AppendResult> {
  const upload = state.upload ?? { parts: 0, bytes: 0 };
  if (knownFingerprint !== null) {
    const answer = { repeated: true, parts: upload.parts, lines: state.terms.matched };
    return knownFingerprint === fingerprint ? accept({ state, answer }) : refuse(partConflict(part));
  }
  if (state.status !== "open") return refuse(listStarted);
  const has = { parts: upload.parts + 1, bytes: upload.bytes + bytes };
  const matched = state.terms.matched + lines.length;
  const full =
    tooMuch("lines", matched, ENROLMENT_LINES_MAX) ??
    tooMuch("parts", has.parts, ENROLMENT_PARTS_MAX) ??
    tooMuch("bytes", has.bytes, ENROLMENT_BYTES_MAX);
  if (full !== null) return refuse(full);
  const added = { ...state, upload: has, terms: { ...state.terms, matched } };
  return accept({ state: added, answer: { repeated: false, parts: has.parts, lines: matched } });
}

/** Starts the list. `repeated`: true if it was already started. */
export function startList(state: OperationState, now: number): Result<{ state: OperationState; repeated: boolean }> {
  if (state.status !== "open")
    return state.status === "aborted" ? refuse(listEnded) : accept({ state, repeated: true });
  if (state.terms.matched === 0) return refuse(listEmpty);
  return accept({ state: { ...state, status: "running", nextAt: now }, repeated: false });
}

/** Aborts a list that was not started in time. Returns any other operation unchanged. */
export function abandonList(state: OperationState, now: number): OperationState {
  if (state.status !== "open" || state.nextAt > now) return state;
  return abortOperation(
    state,
    { actor: { kind: "engine", id: "engine" }, reason: "the list was not started within a week" },
    now,
  );
}

/** Returns why a line was not enrolled; null if it was enrolled. */
export function lineTroubleOf(outcome: ItemOutcome): LineFailure | null {
  if (outcome.kind !== "refused" && outcome.kind !== "skipped") return null;
  const [part, line] = outcome.id.split(".").map(Number) as [number, number]; // The id has the form `<part>.<line>`.
  const code = outcome.kind === "refused" ? outcome.code : outcome.reason;
  return { part, line, code, message: (outcome.message ?? code).slice(0, ENROLMENT_FAILURE_CHARS_MAX) };
}

function tooMuch(what: "lines" | "parts" | "bytes", size: number, limit: number): Refusal | null {
  if (size <= limit) return null;
  const message = `With this part, the enrolment list would have ${size} ${what}; the limit is ${limit}.`;
  return {
    code: "limit_exceeded",
    message,
    hint: "Start this list, and open another list for the remaining lines.",
    details: { what, limit },
  };
}

function partConflict(part: number) {
  const message = `Part ${part} was already uploaded with other lines.`;
  const hint = "Use another part number for the new lines, or repeat the earlier part unchanged.";
  return { code: "idempotency_conflict", message, hint } as const;
}

const listStarted = {
  code: "operation_started",
  message: "The enrolment list accepts no more lines, because it was started or has ended.",
  hint: "Open another list for the remaining lines.",
} as const;
const listEnded = {
  code: "operation_final",
  message: "The operation has ended.",
  hint: "Open another enrolment list.",
} as const;
const listEmpty = {
  code: "invalid_input",
  message: "The enrolment list has no lines.",
  hint: "Upload at least one part: PUT /v1/operations/{id}/parts/1.",
} as const;
