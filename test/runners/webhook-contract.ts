// The webhook runner in the runners' contract, run in Node and in workerd.
import { runners } from "#runners/registry.ts";
import { runnerContract } from "./contract.ts";
import { jsonResponse } from "./world.ts";

export const webhookConfig = {
  url: "https://crm.example.com/hooks",
  method: "POST",
  headers: { "X-Source": "escapement" },
  payload: { event: "application_approved", applicantId: 7 },
  expectedStatusCodes: [200, 201, 202],
};

export function webhookContract(): void {
  runnerContract(runners.webhook, {
    goodConfig: webhookConfig,
    answer: () => jsonResponse({ accepted: true }, { status: 202 }),
    withSecret: (secret) => ({
      ...webhookConfig,
      url: `https://crm.example.com/hooks?api_key=${secret}&page=2`,
      headers: { Authorization: `Bearer ${secret}`, "X-Api-Key": secret, Cookie: `sid=${secret}; theme=dark` },
    }),
    withUrl: (url) => ({ ...webhookConfig, url }),
  });
}
