// The consumer of outboxes: the messages of an execution are handled kind by kind, confirmed to it together, and tried again
// where an object could not be reached. Most tests send a child's end to its parent.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { consumeDeadActions } from "#queue/actions-dead.ts";
import { consumeActions } from "#queue/actions.ts";
import { later } from "#queue/timeouts.ts";
import type { Cell, ConfirmItem, ControlItem, Acknowledgment, Reply } from "#schema/engine/cell.ts";
import { PAYLOAD_BYTES_MAX } from "#schema/limits/executions.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import { accept, refuse, type RefusalCode, type Result } from "#schema/refusal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Deps } from "#services/deps.ts";
import { absentCell, NOW, world } from "#test/support/catalog.ts";

const body = { v: 1, kind: "outbox", tenant: "acme", execution: "exe_child" };
const ended = {
  id: "exe_child",
  tenant: "acme",
  status: "completed",
  variables: { answer: 42 },
  correlationId: "o-17",
  parent: { execution: "exe_parent", run: "2.0", action: "begin", incarnation: 0 },
  createdAt: NOW - 9,
  outbox: [{ kind: "child_ended", key: "exe_parent", sentAt: NOW, tries: 1 }],
} as unknown as ExecutionState; // what is looked at

const confirmation = (answer: object) => ({
  execution: "exe_child",
  incarnation: NOW - 9,
  items: [{ kind: "child_ended", key: "exe_parent", ...answer }],
});

/** As much of an answer as is looked at: where the parent then stood. */
const taken = accept({ state: { buffer: [], position: { states: ["told"] } } } as unknown as Reply);

function cells(
  child: Result<ExecutionState>,
  parent: Result<Reply> | Error = taken,
  confirms: Acknowledgment = [accept(null)],
  notes: Acknowledgment = [accept(null)],
) {
  const sent: ControlItem[] = [];
  const confirmed: ConfirmItem[] = [];
  const noted: ConfirmItem[] = [];
  const known: { readonly [name: string]: Partial<Cell> } = {
    "acme/exe_child": {
      read: async () => child,
      confirm: async (items) => {
        confirmed.push(...items);
        return confirms;
      },
    },
    "acme/exe_parent": {
      control: async (items) => {
        sent.push(...items);
        if (parent instanceof Error) throw parent;
        return [parent];
      },
      confirm: async (items) => {
        noted.push(...items);
        return notes;
      },
    },
  };
  return { sent, confirmed, noted, deps: world({ cell: (name) => ({ ...absentCell, ...known[name] }) }) };
}

async function consume(
  consumer: typeof consumeActions,
  { deps }: ReturnType<typeof cells>,
  bodies: unknown[] = [body],
) {
  const messages = bodies.map((each, n) => ({ id: `m${n}`, timestamp: new Date(NOW), attempts: 3, body: each }));
  const batch = createMessageBatch("actions", messages);
  const never = (): never => {
    throw new Error("a message is no run");
  };
  const none = async () => never();
  await consumer(batch, deps, { run: none, sendBack: none, share: none, later, wasSlow: () => false });
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) };
}

const no = (code: RefusalCode) => refuse({ code, message: "" });

describe("a child's end", () => {
  test("is told to the parent as an event whose id is the child's, and confirmed", async () => {
    const here = cells(accept(ended));
    expect(await consume(consumeActions, here)).toEqual({ acked: ["m0"], retried: [] });
    const payload = {
      execution: "exe_child",
      status: "completed",
      run: "2.0",
      actionId: "begin",
      variables: { answer: 42 },
    };
    const event = {
      id: "child/exe_child",
      type: "child_completed",
      payload,
      source: "execution",
      correlationId: "o-17",
    };
    expect(here.sent).toMatchObject([
      { execution: "exe_parent", command: { kind: "event", inputId: "child/exe_child", event } },
    ]);
    expect(here.confirmed).toEqual([confirmation({ refused: null, took: "told" })]);
  });

  test("is for the parent as it was then, and for none that has its id since", async () => {
    const parent = { execution: "exe_parent", run: "2.0", action: "begin", incarnation: NOW - 5 };
    const here = cells(accept({ ...ended, parent }));
    await consume(consumeActions, here);
    expect(here.sent).toMatchObject([{ execution: "exe_parent", incarnation: NOW - 5 }]);
  });

  test("of variables larger than an event comes without them", async () => {
    const variables = { big: "x".repeat(PAYLOAD_BYTES_MAX) };
    const here = cells(accept({ ...ended, variables }));
    await consume(consumeActions, here);
    expect(here.sent).toMatchObject([{ command: { event: { payload: { status: "completed", variables: null } } } }]);
  });

  test.each<RefusalCode>(["execution_final", "event_unknown", "event_too_late", "not_found", "idempotency_conflict"])(
    "that the parent refuses with %s is over, and the child knows why",
    async (code) => {
      const here = cells(accept(ended), no(code));
      expect(await consume(consumeActions, here)).toEqual({ acked: ["m0"], retried: [] });
      expect(here.confirmed).toEqual([confirmation({ refused: code })]);
      // It keeps its children all the same, and may wait for this one before it ends.
      const end = {
        kind: "child_request",
        key: "look/2.0",
        run: "2.0",
        found: "ended",
        execution: "exe_child",
        at: NOW,
      };
      expect(here.noted).toEqual([{ execution: "exe_parent", incarnation: 0, items: [end] }]);
    },
  );

  test("that the parent refuses, and cannot note, comes again", async () => {
    const here = cells(accept(ended), no("event_unknown"), undefined, [no("internal_error")]);
    expect(await consume(consumeActions, here)).toEqual({ acked: [], retried: ["m0"] });
    expect(here.confirmed).toEqual([]);
  });

  test.each<[string, Result<Reply> | Error]>([
    ["has no room for it", no("event_buffer_full")],
    ["broke over it", no("internal_error")],
    ["is being moved", Object.assign(new Error("overloaded"), { overloaded: true })],
    ["breaks", new Error("broken")],
  ])("whose parent %s comes again", async (_what, answer) => {
    const here = cells(accept(ended), answer);
    expect(await consume(consumeActions, here)).toEqual({ acked: [], retried: ["m0"] });
    expect(here.confirmed).toEqual([]);
  });

  test("whose confirmation broke comes again", async () => {
    const here = cells(accept(ended), taken, [no("internal_error")]);
    expect(await consume(consumeActions, here)).toEqual({ acked: [], retried: ["m0"] });
  });

  test("confirmed to an object of an older version, which says nothing, is confirmed", async () => {
    const here = cells(accept(ended), taken, undefined);
    expect(await consume(consumeActions, here)).toEqual({ acked: ["m0"], retried: [] });
  });

  test.each<[string, Result<ExecutionState>]>([
    ["confirmed before", accept({ ...ended, outbox: [] })],
    ["of a child that is gone, or was erased", no("not_found")],
  ])("%s has done what it could", async (_what, child) => {
    const here = cells(child);
    expect(await consume(consumeActions, here)).toEqual({ acked: ["m0"], retried: [] });
    expect([here.sent, here.confirmed]).toEqual([[], []]);
  });

  test("that the queue gave up on is let go: the child sends it again", async () => {
    const here = cells(accept(ended));
    expect(await consume(consumeDeadActions, here)).toEqual({ acked: ["m0"], retried: [] });
    expect(here.sent).toEqual([]);
    expect(here.deps.lines).toEqual([]);
  });
});

describe("an outbox of several kinds", () => {
  const correlation = { key: "o-1", since: 3, registered: ["o-1"] };
  const message = (kind: string, key: string) => ({ kind, key, sentAt: NOW, tries: 1 });
  const outbox = [
    message("correlation_key", "3"),
    message("child_ended", "exe_parent"),
    message("subject_ended", "c-1"),
  ];
  const several = {
    ...ended,
    correlation,
    finishedAt: NOW,
    definition: { name: "order" },
    outbox,
  } as unknown as ExecutionState;
  const kindsOf = (items: readonly ConfirmItem[]) => items.flatMap((item) => item.items.map(({ kind }) => kind));
  const directory = (work: () => Promise<void>) => () =>
    ({ registerKeys: work }) as unknown as ReturnType<Deps["directory"]>;
  const subject = (work: () => Promise<void>) => () =>
    ({ endEnrolment: work }) as unknown as ReturnType<Deps["subject"]>;
  const broken = async (): Promise<void> => {
    throw new Error("broken");
  };
  const fine = async (): Promise<void> => {};

  test("is read once, and confirmed in one call", async () => {
    const here = cells(accept(several));
    const deps = { ...here.deps, directory: directory(fine), subject: subject(fine) };
    expect(await consume(consumeActions, { ...here, deps })).toEqual({ acked: ["m0"], retried: [] });
    expect(here.confirmed).toHaveLength(1);
    expect(kindsOf(here.confirmed).toSorted()).toEqual(["child_ended", "correlation_key", "subject_ended"]);
  });

  test.each<[string, Partial<Deps>, string[]]>([
    ["correlation_key", { directory: directory(broken), subject: subject(fine) }, ["child_ended", "subject_ended"]],
    ["subject_ended", { directory: directory(fine), subject: subject(broken) }, ["child_ended", "correlation_key"]],
  ])("one kind that breaks (%s) does not stop the others, and comes again", async (kind, faulty, others) => {
    const here = cells(accept(several));
    const deps = { ...here.deps, ...faulty };
    expect(await consume(consumeActions, { ...here, deps })).toEqual({ acked: [], retried: ["m0"] });
    expect(kindsOf(here.confirmed).toSorted()).toEqual(others);
    expect(here.deps.lines).toMatchObject([{ event: "outbox_not_delivered", execution: "exe_child", kind }]);
  });

  test("whose sender cannot be read for now comes again", async () => {
    const here = cells(no("unavailable"));
    expect(await consume(consumeActions, here)).toEqual({ acked: [], retried: ["m0"] });
  });

  test("is handled as far as one delivery goes", async () => {
    const many = Array.from({ length: OUTBOX_MESSAGES_PER_DELIVERY_MAX + 1 }, (_, n) =>
      message("subject_ended", `c-${n}`),
    );
    const here = cells(accept({ ...several, outbox: many } as ExecutionState));
    const deps = { ...here.deps, subject: subject(fine) };
    expect(await consume(consumeActions, { ...here, deps })).toEqual({ acked: ["m0"], retried: [] });
    expect(kindsOf(here.confirmed)).toHaveLength(OUTBOX_MESSAGES_PER_DELIVERY_MAX);
  });
});
