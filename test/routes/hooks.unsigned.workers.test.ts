// A caller without a valid signature cannot learn from response times which tenants and connections exist. The test
// counts lookups, decryptions and comparisons instead of time.
import { describe, expect, test } from "vitest";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { NOW } from "#test/support/catalog.ts";
import { connectMessage, signedWith } from "#test/support/docusign.ts";
import { countedDb, workOf } from "#test/support/work-counted.ts";

async function office(keys: string) {
  const { db, asked } = countedDb();
  const made = api({ db });
  const { tenant, key } = await tenantWithKey(made);
  await must(200, made.ask("PUT", "/v1/secrets/connect_key", { key, body: { value: keys } }));
  const account = { provider: "docusign", sandbox: true };
  for (const body of [
    { ...account, name: "sign", credentials: { connectHmacKey: "connect_key" } },
    { ...account, name: "keyless" },
    { ...account, name: "unset", credentials: { connectHmacKey: "not_set" } },
    { name: "chat", provider: "slack", credentials: { connectHmacKey: "connect_key" } },
  ])
    await must(201, made.ask("POST", "/v1/connections", { key, body }));
  const forged = async (path: string) => {
    const body = connectMessage({ generatedAt: NOW });
    const headers = await signedWith(["forged"], body);
    return workOf(asked, () =>
      must(401, made.ask("POST", `/v1/hooks/docusign/${path}`, { key: null, raw: body, headers })),
    );
  };
  return { tenant, forged };
}

describe("a forged callback costs the same, cold and warm", () => {
  test.each(["one-key", "two keys", "one two three four"])("with the keys %j", async (keys) => {
    const { tenant, forged } = await office(keys);
    const cold = { statements: 2, digests: 4, openings: 1 };
    const warm = { ...cold, statements: 0 };
    const paths = [
      `${tenant}/sign`,
      `${tenant}/keyless`,
      `${tenant}/unset`,
      `${tenant}/chat`,
      `${tenant}/none`,
      `x${tenant}/sign`,
    ];
    for (const path of paths) expect([path, await forged(path), await forged(path)]).toEqual([path, cold, warm]);
  });
});
