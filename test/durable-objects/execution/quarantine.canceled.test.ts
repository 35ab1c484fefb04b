// Tests the cancellation of executions whose steps fail: it keeps everything that is readable.
import { describe, expect, it } from "vitest";
import { actor, begin, openTestCell } from "#test/durable-objects/execution/cell.ts";
import { machine, T0 } from "#test/support/drive.ts";

const BAD = "exe_bad_p1";
const asked = { fingerprint: "f", actor, reason: null } as const;
const cancel = { execution: BAD, command: { kind: "cancel", inputId: "in-c", ...asked }, dryRun: false } as const;

async function alone() {
  const world = openTestCell();
  await world.take(begin(BAD, machine({ states: { wait: { on: { go: "end" } }, end: { type: "final" } } })));
  await world.wake();
  return world;
}

/** Changes a head as if this code did not support its kind of definition. */
const withoutDefinition = (text: string): string =>
  text.replace(/"definition":\{"id":"[^"]+"/, '"definition":{"id":"def_gone"');

describe("an execution whose every step fails", () => {
  it("is canceled from a placeholder if even its runs cannot be read", async () => {
    const world = await alone();
    world.rewrite(BAD, (text) => text.replace('"runs":[]', '"runs":7'));
    const [answer] = await world.calls().control([cancel]);
    expect(answer).toMatchObject({ ok: true, value: { state: { status: "canceled", runs: [] } } });
  });

  it("is canceled with its runs: dead letters stay, and can be archived", async () => {
    const world = await alone();
    world.rewrite(BAD, withoutDefinition);
    const run = {
      id: "1.0",
      action: "mail",
      type: "webhook",
      status: "failed",
      trigger: 1,
      deadLetter: true,
      finishedAt: T0,
      attempts: [],
      error: { type: "timeout", message: "no answer", retryable: true },
    };
    world.rewrite(BAD, (text) => text.replace('"runs":[]', `"runs":${JSON.stringify([run])}`));
    await world.calls().control([cancel]);
    expect(world.read(BAD)).toMatchObject({ status: "canceled", runs: [{ id: "1.0", deadLetter: true }] });
    const retry = { kind: "retry", inputId: "again", run: "1.0", config: null, variables: null, ...asked } as const;
    const archive = { kind: "archive", inputId: "lie", run: "1.0", ...asked } as const;
    const answers = [];
    for (const command of [retry, archive]) {
      answers.push(...(await world.calls().control([{ execution: BAD, command, dryRun: false }])));
    }
    expect(answers).toMatchObject([{ ok: false, refusal: { code: "run_not_startable" } }, { ok: true }]);
    expect(world.read(BAD)?.runs).toMatchObject([{ deadLetter: false }]);
  });
});
