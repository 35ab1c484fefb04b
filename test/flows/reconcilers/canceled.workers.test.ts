// An action in flight that nobody wants any more: called off where it can be reached, and what is not known is said.
import { expect, it, vi } from "vitest";
import { PROVIDER, until } from "../engine.ts";
import { benthos, deafHost, GONE, GONE_REASON, shopWithBenthos, slowHost } from "./worker.ts";

// Waiting is by looking, so this is only for machines that are busy with something else.
vi.setConfig({ testTimeout: 60_000 });

it("canceled, the request under way is cut off, and whether it took effect is unknown", async () => {
  const shop = await shopWithBenthos({ start: { lane: "direct", timeout: 20_000 } });
  const hostUrl = `${PROVIDER}/${crypto.randomUUID()}`;
  const { signals } = deafHost(hostUrl);
  const id = await shop.start("benthos", { variables: { hostUrl } });
  await until("it calls its host", () => (signals.length > 0 ? true : null));
  await shop.must(200, "POST", `/v1/executions/${id}/cancel`, { body: { reason: "not wanted" } });
  await until("its request is cut off", () => (signals.every(({ aborted }) => aborted) ? true : null));
  const [run] = await until("what became of it is recorded", async () => {
    const runs = await shop.runs(id);
    return runs.every(({ status }) => status === "canceled") ? runs : null;
  });
  expect(run?.attempts.at(-1)).toMatchObject({ error: { effect: "unknown" } });
  expect(await shop.read(id)).toMatchObject({ status: "canceled" });
});

it("a shutdown that cancels does not wait for the action under way, and goes on from there", async () => {
  const more = { onShutdown: { target: "Stopping", cancelAction: true } };
  const shop = await shopWithBenthos({ start: { lane: "direct", timeout: 20_000 }, more });
  const hostUrl = `${PROVIDER}/${crypto.randomUUID()}`;
  const { signals } = deafHost(`${hostUrl}/start`);
  const id = await shop.start("benthos", { variables: { hostUrl } });
  await until("it calls its host", () => (signals.length > 0 ? true : null));
  const body = { value: { shutdownRequested: true }, mode: "merge" };
  await shop.must(200, "PUT", `/v1/executions/${id}/desired`, { body });
  await until("its request is cut off", () => (signals.every(({ aborted }) => aborted) ? true : null));
  await until("it is stopping", async () => ((await shop.read(id)).state === "Stopping" ? true : null));
  await shop.must(200, "PUT", `/v1/executions/${id}/observed`, { body: { value: GONE } });
  expect(await shop.reaches(id, "completed")).toMatchObject({ state: "Stopping", reason: GONE_REASON });
  expect(await shop.runs(id)).toMatchObject([
    {
      action: "start",
      status: "canceled",
      reason: "shutdown_requested",
      error: { type: "aborted", effect: "unknown" },
    },
  ]);
});

it("in the queue lane nobody can be told: the success that comes late is recorded, and nothing follows from it", async () => {
  const { host, release } = slowHost();
  const worker = await benthos({ start: { lane: "queue" }, host });
  await until("start is called", () => (worker.asked().length > 0 ? true : null));
  await worker.shop.must(200, "POST", `${worker.at}/cancel`, { body: { reason: "not wanted" } });
  release();
  await until("the outcome is recorded", async () =>
    (await worker.shop.journal(worker.id)).some(({ kind }) => kind === "run_settled") ? true : null,
  );
  expect(await worker.read()).toMatchObject({ status: "canceled" });
  expect(await worker.runs()).toMatchObject([{ status: "ok", attempts: [{ error: null }] }]);
  expect(new Set(worker.asked())).toEqual(new Set(["/start"]));
});
