// Tests the definitions that a cell stores: they are packed, and each format can be read.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { sqlStorage } from "#objects/execution/storage.ts";
import { packOnce } from "#objects/execution/stored/stored-definitions.ts";
import { bindings } from "#test/flows/engine.ts";

it("a packed definition is read unchanged", async () => {
  await runInDurableObject(bindings.EXECUTIONS.getByName("store/definition"), (_object, { storage }) => {
    const text = JSON.stringify({ kind: "machine", name: "a", states: { a: { on: { go: "a" } } } });
    sqlStorage(storage).writeDefinition("def_1@1", text);
    const kept = storage.sql.exec("SELECT typeof(body) AS form FROM rows").one();
    const again = sqlStorage(storage);
    expect([kept, again.hasDefinition("def_1@1"), again.readDefinition("def_1@1")]).toEqual([
      { form: "blob" },
      true,
      text,
    ]);
    expect(packOnce(text)).toBe(packOnce(text));
  });
});
