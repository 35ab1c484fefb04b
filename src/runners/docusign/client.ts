// DocuSign client: calls DocuSign's API for a tenant's account. If the access token is refused, it renews the token and
// calls once more.
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { openAccount, withToken } from "../core/account.ts";
import type { Failure } from "../core/classify.ts";
import { jsonBody, type JsonWithFiles } from "../core/json-body.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { send, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import { docusignAccount, type DocusignAccount } from "./account.ts";

type CallResult = HttpAnswer | HttpRefusal;
export type Call = (
  method: "GET" | "POST",
  path: string,
  json: JsonWithFiles | null,
  /** True if the call has no effect at DocuSign, although its method may be POST. */
  reads?: boolean,
) => Promise<CallResult>;

type OpenResult =
  | { readonly ok: true; readonly connection: OpenConnection; readonly call: Call }
  | { readonly ok: false; readonly failure: Failure };

/** Opens the account of the named connection. Without a name, opens the tenant's only DocuSign connection. */
export async function openDocusign(name: string | undefined, context: RunnerContext): Promise<OpenResult> {
  const opened = await openAccount(context, name, "docusign", []);
  if (!opened.ok) return opened;
  const { connection } = opened;
  const account = docusignAccount(connection, context);
  if (!account.ok) return { ok: false, failure: account };
  return { ok: true, connection, call: callsOf(account, context) };
}

function callsOf({ url, secrets, token }: DocusignAccount, context: RunnerContext): Call {
  return (method, path, json, reads = method === "GET") => {
    const call = (bearer: string): Promise<CallResult> => {
      const headers = new Headers({
        Authorization: `Bearer ${bearer}`,
        Accept: "application/json",
        // DocuSign recognizes repeats by the body's transactionId instead. Proxies may read this header.
        "Idempotency-Key": context.ticket.idempotencyKey,
      });
      if (json !== null) headers.set("Content-Type", "application/json");
      const body = json === null ? null : jsonBody(json);
      const known = [...secrets, bearer];
      return send(
        { method, url: url + path, headers, body, secrets: known, reads, answerBytesMax: ANSWER_BYTES_MAX },
        context,
      );
    };
    return withToken({ token }, call, (answer) => !answer.ok && answer.answered?.status === 401);
  };
}
