// Pollers that ask over a connection: with its credentials, and at its host only.
import { expect, test } from "vitest";
import { runDurableObjectAlarm } from "cloudflare:test";
import { connect, isCrm, setSecrets } from "../crm.ts";
import { bindings, engine, provider, until, type Call } from "../engine.ts";
import { deploy } from "./hooks.ts";

const people = {
  name: "people",
  kind: "poller",
  poll: {
    request: { service: "crm", endpoint: "people" },
    every: 60_000,
    id: "/id",
    paging: { by: "link" },
    from: "all",
  },
  target: { kind: "start", definition: "deploy", variables: { person: "{{ request.body }}" } },
};

async function shopWith(answer: (call: Call) => Response) {
  const { calls } = provider(answer);
  const shop = await engine(deploy);
  await setSecrets(shop, { crm_token: "a-token-of-the-crm" });
  await connect(shop, { auth: { type: "bearer" }, credentials: { token: "crm_token" } });
  const { id } = await shop.must(201, "POST", "/v1/triggers", { body: people });
  const path = `/v1/triggers/${id}`;
  const ring = () => runDurableObjectAlarm(bindings.TRIGGERS.getByName(`${shop.tenant}/${id}`));
  const asked = (outcome: string) =>
    until(`it came to ${outcome}`, async () => {
      const { poller } = (await shop.must(200, "GET", path)).state;
      if (poller.outcome === outcome && poller.backlog === 0) return poller;
      await ring();
      return null;
    });
  return { ...shop, calls: () => calls.filter(isCrm), path, asked, ring };
}

test("pages come with the connection's credentials, by their Link headers", async () => {
  const shop = await shopWith(({ url }) => {
    if (url.searchParams.has("page")) return Response.json([{ id: 3 }]);
    return Response.json([{ id: 1 }, { id: 2 }], { headers: { Link: '</people?page=2>; rel="next"' } });
  });
  await shop.asked("items");
  await until("three are delivered", async () => {
    await shop.ring();
    return (await shop.must(200, "GET", `${shop.path}/deliveries`)).data.length === 3 ? true : null;
  });
  expect(shop.calls().map(({ url }) => url.href)).toEqual([
    "https://crm.example.com/people",
    "https://crm.example.com/people?page=2",
  ]);
  for (const { headers } of shop.calls()) expect(headers.get("Authorization")).toBe("Bearer a-token-of-the-crm");
  expect(JSON.stringify(await shop.must(200, "GET", shop.path))).not.toContain("a-token-of-the-crm");
});

test("a next page at another host is not asked for", async () => {
  const link = '<https://elsewhere.example.com/people?page=2>; rel="next"';
  const shop = await shopWith(() => Response.json([{ id: 1 }], { headers: { Link: link } }));
  const { health, reason } = await shop.asked("failed");
  expect({ health, reason }).toMatchObject({ health: "failing", reason: { code: "next_page_other_host" } });
});

test("credentials that are refused are said with what to do", async () => {
  const shop = await shopWith(() => new Response("no", { status: 401 }));
  const { reason, nextStep } = await shop.asked("failed");
  expect(reason.code).toBe("authentication_failed");
  expect(nextStep).toMatch(/\S/);
});
