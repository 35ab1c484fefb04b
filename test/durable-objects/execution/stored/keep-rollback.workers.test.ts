// For as long as a rollback is to find its way, rows are written as the release before reads them; read they are in every form.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { ExecutionObject } from "#objects/execution/execution.ts";
import { evict } from "#test/flows/lives/evict.ts";
import { bindings } from "#test/flows/engine.ts";
import type { StartCommand } from "#schema/engine/input.ts";

const definition = {
  kind: "machine",
  name: "kept",
  initial: "open",
  states: { open: { on: { add: { target: "open" }, end: "done" } }, done: { type: "final" } },
};
const from = (inputId: string) => ({ inputId, fingerprint: "f", actor: { kind: "key", id: "key_1" } }) as const;
const start: StartCommand = {
  ...{ kind: "start", execution: "exe_a", tenant: "kept", namespace: "default", placement: "own", correlationId: null },
  ...{ definition: { id: "def_kept", name: "kept", version: 1 }, variables: {} },
  ...from("s"),
};

const definitionForm = async (name: string): Promise<unknown> =>
  runInDurableObject(bindings.EXECUTIONS.getByName(name), (_object, { storage }) =>
    storage.sql.exec("SELECT typeof(body) AS form FROM rows WHERE execution = 'definition:def_kept@1'").one(),
  );

/** The object as it is with this var, on what is stored there. */
async function as<T>(keepRollback: string | undefined, name: string, work: (object: ExecutionObject) => Promise<T>) {
  // The one of before is not to write anything more.
  await evict(bindings.EXECUTIONS.getByName(name));
  return runInDurableObject(bindings.EXECUTIONS.getByName(name), async (_object, state) => {
    const { KEEP_ROLLBACK: _, ...others } = bindings;
    const env = { ...others, ...(keepRollback === undefined ? {} : { KEEP_ROLLBACK: keepRollback }) };
    const answer = await work(new ExecutionObject(state, env));
    const rows = state.storage.sql
      .exec("SELECT page, typeof(body) AS form FROM rows WHERE execution = 'exe_a'")
      .toArray();
    return { answer, forms: Object.fromEntries(rows.map(({ page, form }) => [page, form])) };
  });
}

async function send(object: ExecutionObject, type: string, n: number): Promise<boolean> {
  const event = { id: `${type}${n}`, type, payload: "x".repeat(1_000), source: "test", correlationId: null };
  const command = { kind: "event", event, ...from(`${type}${n}`) } as const;
  const [answer] = await object.control([{ execution: "exe_a", command, dryRun: false }]);
  return answer?.ok === true;
}

const begin = async (object: ExecutionObject): Promise<boolean> => {
  const [answer] = await object.start([{ command: start, definition: JSON.stringify(definition) }]);
  for (let n = 0; n < 60; n++) if (!(await send(object, "add", n))) return false;
  return answer?.ok === true;
};

it("with KEEP_ROLLBACK heads and pages are text, as the release before writes them", async () => {
  const { answer, forms } = await as("true", "kept/exe_a", begin);
  expect(answer).toBe(true);
  expect(Object.keys(forms).length).toBeGreaterThan(1);
  expect(new Set(Object.values(forms))).toEqual(new Set(["text"]));
});

it.each([undefined, "false"])("with %s they are packed", async (keepRollback) => {
  const { forms } = await as(keepRollback, `packed-${keepRollback}/exe_a`, begin);
  expect(new Set(Object.values(forms))).toEqual(new Set(["blob"]));
});

it("what was packed before is read, and written as text when it next moves; its pages stay as they are", async () => {
  await as("false", "mixed/exe_a", begin);
  const { answer, forms } = await as("true", "mixed/exe_a", (object) => send(object, "end", 1));
  expect(answer).toBe(true);
  expect(forms).toMatchObject({ 0: "text", 1: "blob" });
  const { answer: ended } = await as("false", "mixed/exe_a", (object) => object.read("exe_a"));
  expect(ended).toMatchObject({ value: { status: "completed" } });
});

it("the definition of an execution of its own is packed, and goes the same ways", async () => {
  await as("false", "own-definition/exe_a", begin);
  expect(await definitionForm("own-definition/exe_a")).toEqual({ form: "blob" });
  await as("true", "own-definition/exe_a", (object) => send(object, "add", 90));
  expect(await definitionForm("own-definition/exe_a")).toEqual({ form: "text" });
  const { answer } = await as("false", "own-definition/exe_a", (object) => send(object, "end", 1));
  expect(answer).toBe(true);
  expect(await definitionForm("own-definition/exe_a")).toEqual({ form: "text" });
});

it("a pool's definition is a text always: the release before may start something with it", async () => {
  await as("false", "pooled-definition/pool/101", begin);
  expect(await definitionForm("pooled-definition/pool/101")).toEqual({ form: "text" });
});

it("a definition that is damaged keeps nobody from being canceled", async () => {
  const name = "damaged-definition/exe_a";
  await as("false", name, begin);
  await runInDurableObject(bindings.EXECUTIONS.getByName(name), (_object, { storage }) => {
    storage.sql.exec("UPDATE rows SET body = ? WHERE execution = 'definition:def_kept@1'", new Uint8Array([2, 9, 9]));
  });
  const { answer } = await as("true", name, (object) =>
    object.control([{ execution: "exe_a", command: { kind: "cancel", reason: null, ...from("c") }, dryRun: false }]),
  );
  expect(answer).toMatchObject([{ ok: true, value: { state: { status: "canceled" } } }]);
});
