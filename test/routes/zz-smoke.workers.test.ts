import { exports, env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { order } from "#test/support/api.ts";
test("smoke", async () => {
  const e = env as any; console.log(Object.keys(e), e.ROOT_KEY);
  const f = (m: string, p: string, body?: unknown, h: any = {}) => (exports as any).default.fetch(`https://x${p}`, { method: m, headers: { Authorization: `Bearer ${e.ROOT_KEY}`, "X-Tenant": "acme", ...(body ? { "Content-Type": "application/json" } : {}), ...h }, ...(body ? { body: JSON.stringify(body) } : {}) });
  console.log((await f("POST", "/v1/tenants", { id: "acme", name: "A" })).status);
  console.log(await (await f("POST", "/v1/definitions", order)).text());
  for (const q of ["?dryRun=true", ""]) { const r = await f("POST", "/v1/executions" + q, { definition: "order" }); const j = await r.json() as any; console.log(r.status, JSON.stringify(j).slice(0, 1500));
    if (!q) {
      const ws = await f("GET", `/v1/executions/${j.execution.id}/live`, undefined, { Upgrade: "websocket", "Sec-WebSocket-Protocol": `escapement.v1, key.abc` });
      console.log(ws.status, ws.headers.get("Sec-WebSocket-Protocol"), !!ws.webSocket); ws.webSocket?.accept();
      ws.webSocket?.addEventListener("message", (m: any) => console.log("WS", m.data));
      console.log((await f("POST", `/v1/executions/${j.execution.id}/pause`, {})).status);
      console.log(await (await f("GET", `/v1/executions/${j.execution.id}/journal?limit=2`)).text());
      console.log((await f("GET", `/v1/executions/exe_nope/live`, undefined, { Upgrade: "websocket" })).status);
      await new Promise((r) => setTimeout(r, 50));
    } }
  expect(1).toBe(1);
});
