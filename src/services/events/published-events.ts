// Published events: accepts events for a correlation key, lists them, and computes the names of the directory objects.
import { parseKeepMs } from "#policy/directory/keep-for.ts";
import type {
  EventPublisher,
  PublishedEvent,
  PublishedEventAnswer,
  PublishedEventQuery,
  PublishedEventRow,
  PublishedEventStatus,
} from "#schema/directory/calls.ts";
import type { EventWait } from "#schema/directory/event-wait.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json } from "#schema/json.ts";
import { DIRECTORY_OBJECTS } from "#schema/limits/executions.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { checkPayload } from "../size-limits.ts";
import { listeningTriggerIds } from "../triggers/listening-triggers.ts";

export async function directoryOf(tenant: string, key: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${tenant}\n${key}`)));
  return directoryName(tenant, (digest[0] ?? 0) % DIRECTORY_OBJECTS);
}

export function directoriesOf(tenant: string): readonly string[] {
  return Array.from({ length: DIRECTORY_OBJECTS }, (_, n) => directoryName(tenant, n));
}

function directoryName(tenant: string, n: number): string {
  return `${tenant}/${n}`;
}

export type PublishEvent = {
  readonly id: string | null;
  readonly type: string;
  readonly correlationKey: string;
  readonly payload: Json;
  readonly source: string | null;
  readonly correlationId: string | null;
  readonly keep?: EventWait | undefined;
  readonly key: string | null;
  readonly dryRun: boolean;
  /**
   * True: deliver the event to no trigger. It is set for events that a trigger sends, because they could start the same
   * trigger again without end.
   */
  readonly toExecutionsOnly?: true;
  /** The delivery of a trigger that publishes the event. */
  readonly publisher?: EventPublisher;
  /** When an operator last replayed that delivery, in epoch ms. */
  readonly replayedAt?: number;
};
export type PublishDeps = Pick<Deps, "now" | "randomBytes" | "directory" | "db" | "log">;

export async function publishEvent(
  deps: PublishDeps,
  caller: TenantCaller,
  input: PublishEvent,
): Promise<Result<PublishedEventAnswer>> {
  const sized = checkPayload(input.payload);
  if (!sized.ok) return sized;
  const keep = parseKeepMs(input.keep);
  if (!keep.ok) return keep;
  const { id, key, dryRun, correlationKey, type, payload, correlationId } = input;
  const keepMs = keep.value;
  const fingerprinted = { type, payload, correlationKey, keepMs, correlationId, source: input.source ?? "api" };
  const listening = input.toExecutionsOnly ? accept([]) : await listeningTriggerIds(deps, caller.tenant, type);
  if (!listening.ok) return listening;
  const event: PublishedEvent = {
    id: id ?? key ?? timeOrderedId("evt", deps.now(), deps.randomBytes(10)),
    type,
    payload,
    source: fingerprinted.source,
    correlationId,
    keepMs,
    key: correlationKey,
    actor: caller.actor,
    ...(listening.value.length === 0 ? {} : { triggers: listening.value }),
    ...(input.publisher === undefined ? {} : { publisher: input.publisher }),
    ...(input.replayedAt === undefined ? {} : { replayedAt: input.replayedAt }),
    fingerprint: await fingerprint(fingerprinted),
  };
  const directory = deps.directory(await directoryOf(caller.tenant, correlationKey));
  const answers = await callWithRetry(() => directory.post([event], dryRun), "directory");
  if (!answers.ok) return answers;
  return answers.value[0] ?? refuse({ code: "internal_error", message: "The directory did not answer." });
}

export type ListPublished = {
  readonly correlationKey: string | null;
  readonly status: PublishedEventStatus | null;
  readonly cursor: string | null;
  readonly limit: number;
};
export type PublishedPage = { readonly data: readonly PublishedEventRow[]; readonly nextCursor: string | null };

export async function listPublishedEvents(
  deps: Pick<Deps, "directory">,
  { tenant }: TenantCaller,
  { correlationKey: key, status, cursor, limit }: ListPublished,
): Promise<Result<PublishedPage>> {
  const before = cursor === null ? null : positionOf(cursor);
  if (cursor !== null && before === null) return refuse(unknownCursor);
  const names = key === null ? directoriesOf(tenant) : [await directoryOf(tenant, key)];
  const query: PublishedEventQuery = { key, status, before, limit: limit + 1 };
  const pages = await Promise.all(
    names.map((name) => callWithRetry(() => deps.directory(name).list(query), "directory")),
  );
  const failed = pages.find((page) => !page.ok);
  if (failed !== undefined && !failed.ok) return failed;
  const rows = pages.flatMap((page) => (page.ok ? page.value : [])).toSorted(newestFirst);
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return accept({ data, nextCursor: last !== undefined && rows.length > limit ? `${last.at}.${last.event.id}` : null });
}

function newestFirst(a: PublishedEventRow, b: PublishedEventRow): number {
  return b.at - a.at || (a.event.id < b.event.id ? 1 : -1);
}

function positionOf(cursor: string): PublishedEventQuery["before"] {
  const [, at, id] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

const unknownCursor = {
  code: "invalid_input",
  message: "The cursor does not belong to this list.",
  errors: [{ pointer: "?cursor", code: "invalid", message: "is not a cursor of this list" }],
} as const;
