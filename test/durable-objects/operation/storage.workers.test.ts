// Tests the rows of a list: lines are found by number, sampled evenly, and limited by bytes. The object processes each
// line exactly once.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { openStore } from "#objects/host/store.ts";
import { listStorage, type ListStorage } from "#objects/operation/storage.ts";
import { OperationWork } from "#entrypoints/operation-work.ts";
import type { ItemOutcome, Operation, OperationRequest } from "#schema/operation.ts";
import type { NumberedLine, Part } from "#schema/subject/enrolling.ts";
import { bindings, until } from "#test/flows/engine.ts";

let objects = 0;
const part = (n: number, lines: Part["lines"]): Part => ({ part: n, lines, fingerprint: `f${n}` });

function inObject<T>(work: (lists: ListStorage) => T): Promise<T> {
  const stub = bindings.OPERATIONS.getByName(`t/op_lists_${++objects}`);
  return runInDurableObject(stub, (_object, { storage }) => work(listStorage(openStore(storage))));
}

test("ids continue after the cursor, in the order of parts, however they were uploaded", async () => {
  await inObject((lists) => {
    expect([lists.part(1), lists.ids(null, 5), lists.sample(5)]).toEqual([null, { ids: [], cursor: null }, []]);
    lists.putPart(part(10, ["x"]), '["x"]');
    lists.putPart(part(2, ["a", "b", "c"]), '["a","b","c"]');
    expect(lists.part(2)).toBe("f2");
    expect(lists.ids(null, 2)).toEqual({ ids: ["2.1", "2.2"], cursor: "2.2" });
    expect(lists.ids("2.2", 2)).toEqual({ ids: ["2.3", "10.1"], cursor: null });
    expect(lists.lines(["2.3", "10.1"], 1_000)).toEqual([
      { id: "2.3", line: "c" },
      { id: "10.1", line: "x" },
    ]);
    expect(lists.sample(2).map(({ id }) => id)).toEqual(["2.1", "2.3"]);
    expect(lists.sample(9)).toHaveLength(4);
  });
});

test("lines are limited by bytes, but at least one is returned", async () => {
  await inObject((lists) => {
    const wide = "ü".repeat(100);
    lists.putPart(part(1, [wide, wide, wide]), JSON.stringify([wide, wide, wide]));
    expect(lists.lines(["1.1", "1.2", "1.3"], 410).map(({ id }) => id)).toEqual(["1.1", "1.2"]);
    expect(lists.lines(["1.1", "1.2"], 1)).toHaveLength(1);
  });
});

test("a line has at most one stored failure; failures are listed in order", async () => {
  await inObject((lists) => {
    const trouble = (n: number, line: number, code = "x") => ({ part: n, line, code, message: "m" });
    expect(lists.troubles(null, 5)).toEqual({ data: [], next: null });
    lists.putTroubles([trouble(2, 1), trouble(1, 10), trouble(1, 9)]);
    lists.putTroubles([trouble(1, 9, "y")]);
    expect(lists.troubles(null, 2)).toEqual({ data: [trouble(1, 9, "y"), trouble(1, 10)], next: "1.10" });
    expect(lists.troubles("1.10", 2)).toEqual({ data: [trouble(2, 1)], next: null });
  });
});

const terms = (id: string): OperationRequest => ({
  id,
  tenant: "t",
  verb: "enroll",
  filter: { definition: "wedding@1" },
  perSecond: 500,
  reason: null,
  actor: { kind: "key", id: "key_1" },
  createdAt: Date.now(),
  matched: 0,
  fingerprint: "f",
});

test("each line is processed and counted once, despite a crash and a lost answer", async () => {
  const id = `op_list_${++objects}`;
  const stub = bindings.OPERATIONS.getByName(`t/${id}`);
  const operation = stub as unknown as Operation; // RPC stubs answer what the class declares
  const asked: string[] = [];
  let lost = 1;
  const outcomeOf = ({ id: line }: NumberedLine): ItemOutcome =>
    line.endsWith(".7")
      ? { id: line, kind: "refused", code: "invalid_input", message: "no" }
      : { id: line, kind: "released" };
  const spies = [
    vi.spyOn(OperationWork.prototype, "enroll").mockImplementation(async (_terms, lines) => {
      if (lost-- > 0) throw new Error("the answer is lost");
      asked.push(...lines.map((line) => line.id));
      return lines.map(outcomeOf);
    }),
    vi.spyOn(OperationWork.prototype, "close").mockResolvedValue(undefined),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  await operation.open(terms(id));
  const lines = Array.from({ length: 60 }, (_, n) => ({ variables: { n } }));
  for (const n of [3, 1, 2, 1]) await operation.append(part(n, lines));
  expect(await operation.read()).toMatchObject({ status: "open", matched: 180 });
  await operation.start();
  expect(await operation.append(part(4, lines))).toMatchObject({ refusal: { code: "operation_started" } });
  await evict(stub);
  await until("it is done", async () => {
    await runDurableObjectAlarm(stub);
    return (await operation.read())?.status === "done" ? true : null;
  });
  expect([asked.length, new Set(asked).size]).toEqual([180, 180]);
  expect(await operation.read()).toMatchObject({
    counts: { released: 177, refused: { invalid_input: 3 } },
    remaining: 0,
  });
  const { data } = await operation.troubles(null, 10);
  expect(data.map((each) => [each.part, each.line])).toEqual([
    [1, 7],
    [2, 7],
    [3, 7],
  ]);
});

test("an operation that was not opened refuses parts and a start", async () => {
  const operation = bindings.OPERATIONS.getByName("t/op_none") as unknown as Operation; // RPC stubs answer what the class declares
  expect(await operation.append(part(1, [{}]))).toMatchObject({ refusal: { code: "not_found" } });
  expect(await operation.start()).toMatchObject({ refusal: { code: "not_found" } });
  expect(await operation.sample(5)).toEqual([]);
});
