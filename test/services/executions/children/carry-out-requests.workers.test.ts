// Requests about children: a child is found by its run's key, canceled once, and never confused with another parent's.
import { expect, test } from "vitest";
import type { Cell, ConfirmItem, ControlItem } from "#schema/engine/cell.ts";
import type { OwnChild } from "#schema/engine/child.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { childIds } from "#services/executions/act-on-executions.ts";
import { absentCell, newTenant, NOW, world } from "#test/support/catalog.ts";
import { isDelivered } from "#test/support/outbox/deliver.ts";
import { withOutbox } from "#test/support/outbox/messages.ts";

const execution = "exe_parent";
const gone: Refusal = { code: "not_found", message: "there is no such execution" };
const child = (part: Partial<OwnChild> = {}): OwnChild => ({
  run: "1.0",
  action: "begin",
  onCancel: "cancel",
  execution: "exe_child",
  startBy: NOW,
  stopping: { at: NOW, reason: "execution_canceled" },
  ...part,
});
const stands = (part: object = {}) => ({
  id: "exe_child",
  status: "waiting",
  createdAt: NOW + 1,
  parent: { execution, run: "1.0", action: "begin", incarnation: NOW },
  ...part,
});
type Answers = {
  /** By id; a refusal where its object cannot tell. */
  readonly found?: Readonly<Record<string, object | Refusal>>;
  readonly canceled?: Result<never>;
  readonly answer?: Result<null>;
  readonly status?: string;
};

function here(list: readonly OwnChild[], { found = { exe_child: stands() }, canceled, answer, status }: Answers = {}) {
  const tenant = newTenant();
  const told: ConfirmItem[] = [];
  const asked: ControlItem[] = [];
  const parent = {
    id: execution,
    tenant,
    createdAt: NOW,
    status: status ?? "canceled",
    position: { kind: "machine" },
    runs: [],
    children: list,
  };
  const state = withOutbox(parent as unknown as ExecutionState, NOW);
  const cell: Partial<Cell> = {
    read: async (id) => {
      const known = id === execution ? state : (found[id] ?? gone);
      return "message" in known ? refuse(known as Refusal) : accept(known as unknown as ExecutionState); // what is looked at
    },
    control: async (items) => {
      asked.push(...items);
      return items.map(() => canceled ?? accept({ state: stands() as never, seq: 1, repeated: false, moves: [] }));
    },
    confirm: async (items) => {
      told.push(...items);
      return [answer ?? accept(null)];
    },
  };
  const cells: string[] = [];
  const deps = world({
    cell: (name) => {
      cells.push(name);
      return { ...absentCell, ...cell };
    },
  });
  const done = () => told.flatMap((item) => item.items);
  return { tenant, done, asked, cells, run: () => isDelivered(deps, tenant, execution) };
}

test("a child is canceled by its parent, in the found incarnation, with one key for every repeat", async () => {
  const { run, done, asked } = here([child()]);
  expect([await run(), await run()]).toEqual([true, true]);
  expect(done()[0]).toEqual({
    kind: "child_request",
    key: "cancel/1.0",
    run: "1.0",
    found: "canceled",
    execution: "exe_child",
    at: NOW,
  });
  const [first, second] = asked;
  expect(first).toMatchObject({
    execution: "exe_child",
    incarnation: NOW + 1,
    dryRun: false,
    command: { kind: "cancel", reason: "parent_canceled", actor: { kind: "engine", id: execution } },
  });
  expect(second?.command).toEqual(first?.command);
});

test("a child without a known id is found by its run's key, in its own cell or in a pool of any size", async () => {
  const { tenant, run, cells, done } = here([child({ execution: null })]);
  expect(await run()).toBe(true);
  const ids = await childIds(tenant, `${execution}/1.0`);
  expect(cells).toEqual(expect.arrayContaining(ids.map((id) => cellName(tenant, id))));
  expect(ids).toHaveLength(8);
  expect(done()).toEqual([
    { kind: "child_request", key: "cancel/1.0", run: "1.0", found: "none", execution: null, at: NOW },
  ]);
});

test.each<[string, object, string]>([
  ["has ended", stands({ status: "completed" }), "ended"],
  [
    "is another's by now",
    stands({ parent: { execution: "exe_other", run: "1.0", action: "begin", incarnation: 0 } }),
    "none",
  ],
  ["is another run's", stands({ parent: { execution, run: "2.0", action: "begin", incarnation: NOW } }), "none"],
  ["was its namesake's", stands({ parent: { execution, run: "1.0", action: "begin", incarnation: NOW - 9 } }), "none"],
  ["is nobody's", stands({ parent: undefined }), "none"],
  ["is gone", gone, "none"],
  ["cannot be read", { code: "execution_unreadable", message: "it cannot be read" }, "canceled"],
])("a child that %s", async (_what, found, said) => {
  const { run, done } = here([child()], { found: { exe_child: found } });
  expect(await run()).toBe(true);
  expect(done()).toMatchObject([{ found: said }]);
});

test.each<[Refusal["code"], boolean, string[]]>([
  ["execution_final", true, ["ended"]],
  ["not_found", true, ["ended"]],
  ["unavailable", false, []],
])("a cancellation refused as %s", async (code, isOver, said) => {
  const { run, done } = here([child()], { canceled: refuse({ code, message: "no" }) });
  expect(await run()).toBe(isOver);
  expect(done().map((item) => item.kind === "child_request" && item.found)).toEqual(said);
});

test("a child that cannot be reached does not stop the others, and is retried", async () => {
  const found = { exe_child: stands(), exe_far: { code: "unavailable", message: "not now" } as const };
  const { run, done } = here([child(), child({ run: "1.1", execution: "exe_far" })], { found });
  expect(await run()).toBe(false);
  expect(done()).toMatchObject([{ run: "1.0", found: "canceled" }]);
});

test("a child that the parent waits for is read, and not changed", async () => {
  const { stopping: _stopping, ...waited } = child({ onCancel: "wait" });
  const { run, done, asked } = here([waited]);
  expect([await run(), asked]).toEqual([true, []]);
  expect(done()).toMatchObject([{ found: "live", execution: "exe_child" }]);
});

test("requests beyond the size of a message are left for the next message", async () => {
  const list = Array.from({ length: OUTBOX_MESSAGES_PER_DELIVERY_MAX + 1 }, (_, n) =>
    child({ run: `1.${n}`, execution: "exe_child" }),
  );
  const { run, done } = here(list);
  expect([await run(), done().length]).toEqual([true, OUTBOX_MESSAGES_PER_DELIVERY_MAX]);
});

test("nothing happens without requests, or without a parent", async () => {
  const none = here([]);
  expect([await none.run(), none.done()]).toEqual([true, []]);
  const deps = world({ cell: () => ({ ...absentCell, read: async () => refuse(gone) }) });
  expect(await isDelivered(deps, newTenant(), execution)).toBe(true);
});

test("a confirmation that the parent did not accept is sent again", async () => {
  const { run } = here([child()], { answer: refuse({ code: "internal_error", message: "not stored" }) });
  expect(await run()).toBe(false);
});
