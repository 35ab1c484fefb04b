// Where providers call back. No key: each message is signed, and its service knows by whom. The body is read raw,
// because that is what was signed.
import { OpenAPIHono } from "@hono/zod-openapi";
import { receiveDocusign } from "#services/hooks/receive-docusign.ts";
import { limits } from "#schema/limits.ts";
import { answer } from "./http/answer.ts";
import type { AppContext, AppEnv } from "./http/context.ts";
import { answerProblem } from "./http/problem.ts";
import { readRaw } from "./http/raw-body.ts";

export const hooks = new OpenAPIHono<AppEnv>().post("/v1/hooks/docusign/:tenant/:connection", async (c) => {
  const body = await readRaw(c.req.raw.body, limits.bodyBytesMax);
  if (body === null) return answerProblem(c, tooLarge);
  const { tenant, connection } = c.req.param();
  const signatures = signaturesOf(c);
  const result = await receiveDocusign(c.var.deps, { tenant, connection, body, signatures });
  return answer(c, result, (received) => received);
});

/** DocuSign signs once with each key the account has. */
function signaturesOf(c: AppContext): readonly string[] {
  const headers = Object.entries(c.req.header());
  return headers.filter(([name]) => /^x-docusign-signature-\d{1,3}$/i.test(name)).map(([, value]) => value.trim());
}

const tooLarge = {
  code: "body_too_large",
  message: `The body has more bytes than allowed; the limit is ${limits.bodyBytesMax} bytes.`,
  hint: "Let DocuSign Connect leave the documents out of its messages.",
} as const;
