// Ids: what is written into one can be read back, those with a time sort by it, and none is mistaken for another kind.
import { describe, expect, it } from "vitest";
import * as ids from "#schema/ids.ts";

const NOW = Date.UTC(2026, 10, 18, 12);
const CHANCE = Uint8Array.from([0, 1, 2, 3, 250, 251, 252, 253, 254, 255, 77]);
const DIGEST = Uint8Array.from({ length: 32 }, (_, n) => (n * 37 + 5) % 256);
const HOSTILE = [
  "",
  "_",
  "exe_",
  "exe_\n",
  "exe_a b",
  "exe_../../x",
  "exe_a/b",
  "exe_ä",
  "exe_<script>",
  "exe_%2e%2e",
  "EXE_01K",
  " exe_01K",
  "exe_01K ",
  "exe_01K\n",
  "exe_01K\u0000",
  "__proto__",
  `exe_${"x".repeat(100_000)}`,
];

describe("an id made of time and chance", () => {
  it.each([
    [0, new Uint8Array(10), "evt_00000000000000000000000000"],
    [0, new Uint8Array(10).fill(255), "evt_0000000000ZZZZZZZZZZZZZZZZ"],
    [31, new Uint8Array(10), "evt_000000000Z0000000000000000"],
    [32, new Uint8Array(10), "evt_00000000100000000000000000"],
    [2 ** 48 - 1, new Uint8Array(10), "evt_7ZZZZZZZZZ0000000000000000"],
    [NOW, CHANCE, "evt_01M7Q8ECG0000G40ZTZFYFVZQZ"],
  ])("of %d and %j is %s", (at, chance, id) => {
    expect(ids.timeOrderedId("evt", at, chance)).toBe(id);
  });

  it("sorts by its time, whatever the chance", () => {
    const times = [0, 1, 31, 32, 1023, 1024, NOW - 1, NOW, NOW + 1, NOW + 86_400_000, 2 ** 47, 2 ** 48 - 1];
    const made = times.map((at, n) => ids.timeOrderedId("exe", at, new Uint8Array(10).fill(n % 2 === 0 ? 255 : 0)));
    expect([...made].sort()).toEqual(made);
    expect(made.map(ids.timeOf)).toEqual(times);
  });

  it("uses ten bytes of chance and no more", () => {
    expect(ids.timeOrderedId("exe", NOW, CHANCE)).toBe(ids.timeOrderedId("exe", NOW, CHANCE.subarray(0, 10)));
  });
});

const plain = ids.timeOrderedId("exe", NOW, CHANCE);
const keyed = ids.keyedId("exe", DIGEST);
const deduped = ids.dedupedId(DIGEST, NOW);

describe("what an execution's id tells", () => {
  it.each([
    ["its own cell", plain, NOW, null, null],
    ["a pool cell", ids.pooledId(plain, 7), NOW, "7", null],
    ["a pool cell of four digits", ids.pooledId(plain, 9999), NOW, "9999", null],
    ["a key", keyed, null, null, null],
    ["a key and a pool cell", ids.pooledId(keyed, 15), null, "15", null],
    ["a dedup key", ids.pooledId(deduped, 0), NOW, "0", deduped.slice(5, 31)],
    ["a dedup key, no pool cell", deduped, NOW, null, deduped.slice(5, 31)],
    ["a caller", "exe_order-7", null, null, null],
    ["a caller who imitates a pool cell", "exe_order-p7", null, null, null],
    ["a caller who imitates a time", `exe_${"0".repeat(25)}U`, null, null, null],
  ])("with %s: %s", (_whose, id, at, cell, digest) => {
    expect([ids.timeOf(id), ids.poolCell(id), ids.dedupDigest(id)]).toEqual([at, cell, digest]);
    expect(ids.executionIdText.safeParse(id).success).toBe(true);
  });

  it.each(HOSTILE)("of %j is nothing", (text) => {
    expect([ids.timeOf(text), ids.poolCell(text), ids.dedupDigest(text)]).toEqual([null, null, null]);
    expect(ids.parseDeadLetterId(text)).toBeNull();
  });

  it.each(["exe_1_p", "exe_1_p12345", "exe_1_p-1", "exe_1_p7x", "exe_1_P7", "exe_1_p7 ", "exe_1_p٣"])(
    "of %s is no pool cell",
    (id) => {
      expect(ids.poolCell(id)).toBeNull();
    },
  );
});

describe("an id of a key", () => {
  it("is the same for the same digest, and another for another", () => {
    expect(ids.keyedId("exe", DIGEST)).toBe(keyed);
    expect(
      ids.keyedId(
        "exe",
        Uint8Array.from(DIGEST, (byte) => byte ^ 1),
      ),
    ).not.toBe(keyed);
    expect(ids.keyedId("op", DIGEST)).toBe(keyed.replace("exe_", "op_"));
    expect(keyed).toBe("exe_k0MN4YX4SQVHGGBAJEYEC3SGB60");
  });

  it("with a dedup key sorts by time among those with the same key", () => {
    const later = ids.dedupedId(DIGEST, NOW + 1);
    expect(deduped < later).toBe(true);
    expect(ids.dedupDigest(later)).toBe(ids.dedupDigest(deduped));
  });
});

describe("an id that follows from another", () => {
  it.each([
    ["exe_01KABCDEFGHJKMNPQRSTVWXYZ0", "3.0", "01KABCDEFGHJKMNPQRSTVWXYZ0.3.0"],
    ["exe_01KABC_p3", "1.0", "01KABC_p3.1.0"],
    ["exe_order-7", "12.34", "order-7.12.34"],
    ["exe_2.5", "1.0", "2.5.1.0"],
    ["exe_exe_1", "1.0", "exe_1.1.0"],
  ])("of %s, run %s, is …_%s, and a dead letter's leads back", (execution, run, rest) => {
    expect(ids.deadLetterId(execution, run)).toBe(`dl_${rest}`);
    expect(ids.parseDeadLetterId(`dl_${rest}`)).toEqual({ execution, run });
    expect(ids.taskId(execution, run)).toBe(`tsk_${rest}`);
  });

  it.each(["dl_", "dl_01KABC", "dl_01KABC.1", "dl_.1.0", "exe_01KABC.1.0", "dl_01KABC.1.x", "dl_01KABC.1.0 "])(
    "is not %j",
    (id) => {
      expect(ids.parseDeadLetterId(id)).toBeNull();
    },
  );

  it("is an audit entry's", () => {
    expect(ids.auditId("op_1")).toBe("aud_op_1");
  });
});

it.each([
  ["def", "def_1", true],
  ["def", "def_", true],
  ["def", "def", false],
  ["def", "default_1", false],
  ["def", "Def_1", false],
  ["con", " con_1", false],
] as const)("a name cannot begin with %s_: %j", (prefix, name, isTaken) => {
  expect(ids.isIdOf(prefix, name)).toBe(isTaken);
});

/** Each kind as callers send it: one that is taken, and near misses that are not. */
const TEXTS = [
  ["an execution", ids.executionIdText, ids.pooledId(plain, 7), ["exe_", "exe_a.b", `exe_${"a".repeat(97)}`]],
  ["a caller's execution", ids.ownExecutionIdText, "exe_order-7", ["exe_1_p7", `exe_${"a".repeat(81)}`, "exe_"]],
  ["a dead letter", ids.deadLetterIdText, ids.deadLetterId(plain, "3.0"), ["dl_1.3", "dl_1.3.0.0", "dl_a.b.3.0"]],
  ["a task", ids.taskIdText, ids.taskId(plain, "3.0"), ["tsk_", "tsk_a b", `tsk_${"a".repeat(121)}`]],
  ["an operation", ids.operationIdText, ids.keyedId("op", DIGEST), ["op_", "op_a-b", `op_${"a".repeat(61)}`]],
  ["a run", ids.runIdText, "3.0", ["3", "3.", ".0", "3.0.0", "-3.0", "1234567890.0"]],
] as const;

it.each(TEXTS)("%s's id is taken in its own form only", (_what, text, good, bad) => {
  expect(text.safeParse(good).success).toBe(true);
  const others = TEXTS.filter(([, other]) => other !== text && other !== ids.ownExecutionIdText).map(([, , id]) => id);
  const wrong = [...bad, ...HOSTILE, ...(text === ids.ownExecutionIdText ? [] : others)];
  expect(wrong.filter((id) => text.safeParse(id).success)).toEqual([]);
});
