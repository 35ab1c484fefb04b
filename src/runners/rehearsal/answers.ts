// Default answers of rehearsals: a provider's usual success, for requests that the client did not mock.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { objectOf } from "../evm/rpc.ts";
import { chainAnswer } from "./mock-chain.ts";
import { isFileRequest, fileAnswer } from "./mock-files.ts";

export type RehearsedRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | Uint8Array | null;
};
export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
};

/** Returns true if the request goes to a token endpoint. Such a request precedes the action's own call. */
export function isTokenRequest({ headers, body }: RehearsedRequest): boolean {
  const isForm = headers.get("content-type") === "application/x-www-form-urlencoded";
  return isForm && typeof body === "string" && new URLSearchParams(body).has("grant_type");
}

export function defaultAnswer(ticket: Pick<Ticket, "type" | "config">, asked: RehearsedRequest): Answer {
  if (isFileRequest(ticket, asked)) return fileAnswer();
  if (isTokenRequest(asked)) return ok({ access_token: "[token]", token_type: "Bearer", expires_in: 3_600 });
  switch (ticket.type) {
    case "email":
      return emailAnswer(asked);
    case "sms":
      return ok({ sid: `SM${ZEROS}`, status: "queued", error_code: null, error_message: null }, 201);
    case "slack":
      return asked.url.pathname.endsWith("/chat.postMessage")
        ? ok({ ok: true, channel: jsonOf(asked)?.["channel"] ?? null, ts: "1700000000.000100" })
        : { status: 200, headers: { "content-type": "text/plain" }, body: "ok" };
    case "push":
      return pushAnswer(asked);
    case "docusign_envelope":
      return docusignAnswer(asked);
    case "docusign_recipient_view":
      return ok({ url: "https://demo.docusign.net/Signing/stand-in" }, 201);
    case "database":
      return databaseAnswer(asked);
    case "blockchain_mint":
    case "contract_call":
      return ok(chainAnswer(jsonOf(asked) ?? {}));
  }
  return ok({}, expectedStatus(ticket.config));
}

const ZEROS = "0".repeat(32);
const JSON_TYPE = { "content-type": "application/json" };

function ok(body: Json, status = 200): Answer {
  return { status, headers: JSON_TYPE, body };
}

/** Returns the first status that the action expects, or 200. */
function expectedStatus({ expectedStatusCodes }: JsonObject): number {
  const first: Json | undefined = Array.isArray(expectedStatusCodes) ? expectedStatusCodes[0] : undefined;
  return typeof first === "number" ? first : 200;
}

function emailAnswer({ url }: RehearsedRequest): Answer {
  if (url.pathname.endsWith("/mail/send")) return { status: 202, headers: { "x-message-id": "message-1" }, body: null };
  return ok({ id: "00000000-0000-4000-8000-000000000000" });
}

function pushAnswer(asked: RehearsedRequest): Answer {
  if (asked.url.pathname.endsWith("/messages:send")) return ok({ name: "projects/stand-in/messages/0" });
  return { status: 201, headers: { location: `${asked.url.origin}/message/0` }, body: null };
}

/** DocuSign's answer. In a rehearsal, a search for earlier envelopes finds no envelope. */
function docusignAnswer(asked: RehearsedRequest): Answer {
  if (asked.method === "GET") return ok({ envelopes: [] });
  const envelopeId = "00000000-0000-4000-8000-000000000000";
  const status = jsonOf(asked)?.["status"] ?? "sent";
  return ok({ envelopeId, status, statusDateTime: null, uri: `/envelopes/${envelopeId}` }, 201);
}

/** A database's answer. It contains no rows, because a statement's result cannot be predicted. */
function databaseAnswer({ url }: RehearsedRequest): Answer {
  if (!url.pathname.endsWith("/v2/pipeline")) {
    const meta = { rows_read: 0, rows_written: 0, changes: 0 };
    return ok({ success: true, errors: [], messages: [], result: [{ success: true, results: [], meta }] });
  }
  const result = { cols: [], rows: [], affected_row_count: 0, last_insert_rowid: null };
  const executed = { type: "ok", response: { type: "execute", result } };
  return ok({ baton: null, base_url: null, results: [executed, { type: "ok", response: { type: "close" } }] });
}

function jsonOf({ body }: RehearsedRequest): JsonObject | null {
  try {
    return typeof body === "string" ? objectOf(JSON.parse(body) as Json) : null; // JSON.parse returns only JSON
  } catch {
    return null;
  }
}
