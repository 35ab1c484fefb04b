// Who observes by itself: a worker that is told nothing, and finds out what its actions came to.
import { expect, it, vi } from "vitest";
import { engine, PROVIDER, provider, until } from "../engine.ts";

// Waiting is by looking, so this is only for machines that are busy with something else.
vi.setConfig({ testTimeout: 60_000 });

const lamp = {
  kind: "reconciler",
  name: "lamp",
  initial: "Off",
  tick: "PT1S",
  desired: { lit: true },
  collector: { action: "look", every: "PT1S", timeout: "PT5S", observed: { var: "result.data" } },
  states: {
    Off: {
      rules: [
        { when: { var: "observed.lit" }, target: "On", reason: "seen by {{ observed.by }}" },
        { when: { var: "desired.lit" }, emit: "light" },
      ],
    },
    On: { rules: [{ when: { "!": [{ var: "observed.lit" }] }, target: "Off" }] },
  },
  actions: [
    { actionId: "look", type: "webhook", config: { url: "{{ execution.variables.url }}/look", method: "GET" } },
    { actionId: "light", type: "webhook", timeout: 5_000, config: { url: "{{ execution.variables.url }}/light" } },
  ],
};

it("what it does it sees, and its looking stands in no list and counts for nothing", async () => {
  let lit = false;
  const { calls } = provider(({ url }) => {
    if (url.pathname.endsWith("/light")) lit = true;
    return Response.json({ lit, by: "camera" });
  });
  const house = await engine(lamp);
  const id = await house.start("lamp", { variables: { url: `${PROVIDER}/${crypto.randomUUID()}` } });
  const seen = await until("it is lit", async () => {
    const found = await house.read(id);
    return found.state === "On" ? found : null;
  });
  expect(seen).toMatchObject({ reason: "seen by camera", observed: { value: { lit: true } }, runs: { ok: 1 } });
  expect(await house.runs(id)).toMatchObject([{ action: "light", status: "ok" }]);
  expect(calls.filter(({ url }) => url.pathname.endsWith("/light"))).toHaveLength(1);
  lit = false;
  await until("it is lit again", () =>
    calls.filter(({ url }) => url.pathname.endsWith("/light")).length === 2 ? true : null,
  );
  await house.must(200, "POST", `/v1/executions/${id}/cancel`);
});

it("while nobody can look nothing is done, and it is said once; then it goes on by itself", async () => {
  let isDown = true;
  provider(({ url }) => {
    if (url.pathname.endsWith("/look"))
      return isDown ? new Response("no", { status: 503 }) : Response.json({ lit: true, by: "camera" });
    return Response.json({});
  });
  const house = await engine(lamp);
  const id = await house.start("lamp", { variables: { url: `${PROVIDER}/${crypto.randomUUID()}` } });
  const kinds = async () => (await house.journal(id)).map(({ kind }) => kind);
  await until("its looking has failed", async () => ((await kinds()).includes("collector_failed") ? true : null));
  expect(await house.read(id)).toMatchObject({ state: "Off", observed: { value: null } });
  isDown = false;
  await until("it is seen to be lit", async () => ((await house.read(id)).state === "On" ? true : null));
  const told = await kinds();
  expect(told.filter((kind) => kind.startsWith("collector_"))).toEqual(["collector_failed", "collector_recovered"]);
  expect(told).not.toContain("run_created");
  await house.must(200, "POST", `/v1/executions/${id}/cancel`);
});
