// Tests which rows the platform's storage keeps of a failed commit.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { sqlStorage, type Head } from "#objects/execution/storage.ts";
import { bindings } from "#test/flows/engine.ts";

const head = { state: { v: 1, id: "exe_1" }, tail: [], pages: 0 } as unknown as Head; // these are all fields that the storage reads
const key = { execution: "exe_1", wakeAt: 5, turn: 1, sent: 0 };

it("a failed commit leaves the rows unchanged", async () => {
  await runInDurableObject(bindings.EXECUTIONS.getByName("store/at-once"), (_object, { storage }) => {
    const store = sqlStorage(storage);
    const refused = { ...key, turn: null as unknown as number }; // the table refuses this value
    store.atomically(() => store.writeHead(head, key), "unseen");
    const before = store.headBody("exe_1");
    const one = (): void => void store.writeHead({ ...head, pages: 1 }, refused);
    const several = (): void => {
      store.writePage("exe_1", 1, []);
      one();
    };
    expect(() => store.atomically(one, "unseen")).toThrow("NOT NULL");
    expect(() => store.atomically(several, "unseen")).toThrow("NOT NULL");
    expect([store.headBody("exe_1"), store.countPages("exe_1"), store.heads()]).toEqual([before, 0, [key]]);
    store.atomically(() => store.writePage("exe_1", 1, []), "unseen");
    expect(store.countPages("exe_1")).toBe(1);
  });
});

it("in a large cell, a head and its resident row are stored together or not at all", async () => {
  await runInDurableObject(bindings.EXECUTIONS.getByName("store/crowded"), (_object, { storage }) => {
    const store = sqlStorage(storage);
    const commit = (turn: number): void => {
      store.residentRows.addResidents(["exe_1"]);
      store.writeHead(head, { ...key, turn });
    };
    store.atomically(() => store.writeHead(head, { ...key, execution: "exe_0" }), "unseen");
    store.residentRows.replaceResidents([]);
    expect(() => store.atomically(() => commit(null as unknown as number), "unseen")).toThrow("NOT NULL"); // the table refuses this value
    expect([store.residentRows.residents(), store.headBody("exe_1")]).toEqual([[], null]);
    store.atomically(() => commit(2), "unseen");
    expect([store.residentRows.residents(), store.keys(["exe_1"])]).toEqual([["exe_1"], [{ ...key, turn: 2 }]]);
  });
});
