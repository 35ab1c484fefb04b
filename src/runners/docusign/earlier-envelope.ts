// Earlier envelopes: finds an envelope that an interrupted attempt may have created. DocuSign documents a search by
// transaction id, and does not promise what a second request with the same id does: so it is searched.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { textAt, valueAt } from "#schema/provider/json-pointer.ts";
import { unreadable, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { Call } from "./client.ts";
import { docusignFailure } from "./errors.ts";

type Earlier =
  | { readonly ok: true; readonly envelope: JsonObject | null }
  | { readonly ok: false; readonly failure: Failure };

/** Null: there is none. If the search fails, no second envelope is sent. */
export async function sentEarlier(call: Call, transactionId: string, { ticket, now }: RunnerContext): Promise<Earlier> {
  if (ticket.attempt === 1 && !ticket.possiblyRepeated) return { ok: true, envelope: null };
  const answer = await lookUp(call, transactionId);
  if (answer.ok) return envelopeIn(answer);
  const failure = docusignFailure(answer, now());
  return saysNone(answer, failure) ? { ok: true, envelope: null } : { ok: false, failure };
}

/**
 * "No such id" is the expected answer. Other 400s (limits, permissions) mean nothing, and so do errors that are not
 * DocuSign's own: a proxy, a gateway or a wrong path may return a 404, too.
 */
function saysNone({ answered: said }: HttpRefusal, { error }: Failure): boolean {
  const isRefusal = said !== null && (said.status === 400 || said.status === 404);
  if (!isRefusal || textAt(said.data, "/errorCode") === null) return false;
  return ["malformed_request", "not_found"].includes(error.type);
}

/** An object without a list has none; any other value is not an answer of DocuSign. */
function envelopeIn(answer: HttpAnswer): Earlier {
  const { data } = answer;
  const found = ["/envelopes/0", "/envelopeTransactionStatuses/0"].map((place) => valueAt(data, place)).find(Boolean);
  const isObject = data !== null && typeof data === "object" && !Array.isArray(data);
  if (found === undefined && isObject) return { ok: true, envelope: null };
  if (found !== undefined && textAt(found, "/envelopeId") !== null) return { ok: true, envelope: found as JsonObject }; // it has a field
  return { ok: false, failure: unread(answer) };
}

/** The answer to creating an envelope; if it is unreadable, the envelope exists, and DocuSign may return its id. */
export async function readOrFound({ data }: HttpAnswer, call: Call, transactionId: string): Promise<Json> {
  if (textAt(data, "/envelopeId") !== null) return data;
  const answer = await lookUp(call, transactionId);
  const found = answer.ok ? envelopeIn(answer) : null;
  return found?.ok === true ? found.envelope : null;
}

function lookUp(call: Call, transactionId: string) {
  return call("GET", `/envelopes?transaction_ids=${transactionId}`, null);
}

function unread(answer: HttpAnswer): Failure {
  return unreadable("DocuSign's answer does not show whether the envelope exists", answer, { reads: true });
}
