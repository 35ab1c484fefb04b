// Earlier envelopes: finds the envelope that an interrupted attempt may have created. DocuSign supports a search by
// transaction id, but does not define the result of a second request with the same id.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { textAt, valueAt } from "#schema/provider/json-pointer.ts";
import { unreadableFailure, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { Call } from "./client.ts";
import { docusignFailure } from "./errors.ts";

type SearchResult =
  | { readonly ok: true; readonly envelope: JsonObject | null }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Searches for the envelope that an earlier attempt may have created. Returns null if no such envelope exists. If the
 * search fails, the run fails as well, so that no second envelope is sent.
 */
export async function findEarlierEnvelope(
  call: Call,
  transactionId: string,
  { ticket, now }: RunnerContext,
): Promise<SearchResult> {
  if (ticket.attempt === 1 && !ticket.possiblyRepeated) return { ok: true, envelope: null };
  const answer = await searchEnvelopes(call, transactionId);
  if (answer.ok) return envelopeIn(answer);
  const failure = docusignFailure(answer, now());
  return meansNoEnvelope(answer, failure) ? { ok: true, envelope: null } : { ok: false, failure };
}

/**
 * Returns true if the refusal means "no such transaction id". A 404 or 400 without a DocuSign error code comes from a
 * proxy or a wrong path, so it proves nothing.
 */
function meansNoEnvelope({ answered: said }: HttpRefusal, { error }: Failure): boolean {
  const isRefusal = said !== null && (said.status === 400 || said.status === 404);
  if (!isRefusal || textAt(said.data, "/errorCode") === null) return false;
  return ["malformed_request", "not_found"].includes(error.type);
}

/**
 * Reads the envelope from the answer to a search. An object without an envelope means that no envelope exists. Any
 * other answer is unreadable.
 */
function envelopeIn(answer: HttpAnswer): SearchResult {
  const { data } = answer;
  const found = ["/envelopes/0", "/envelopeTransactionStatuses/0"].map((place) => valueAt(data, place)).find(Boolean);
  const isObject = data !== null && typeof data === "object" && !Array.isArray(data);
  if (found === undefined && isObject) return { ok: true, envelope: null };
  if (found !== undefined && textAt(found, "/envelopeId") !== null) return { ok: true, envelope: found as JsonObject }; // it has an envelopeId, so it is an object
  return { ok: false, failure: unreadableSearch(answer) };
}

/**
 * Returns the created envelope. DocuSign has created the envelope even if its answer is unreadable. In that case the
 * envelope is searched by its transaction id.
 */
export async function readCreatedEnvelope({ data }: HttpAnswer, call: Call, transactionId: string): Promise<Json> {
  if (textAt(data, "/envelopeId") !== null) return data;
  const answer = await searchEnvelopes(call, transactionId);
  const found = answer.ok ? envelopeIn(answer) : null;
  return found?.ok === true ? found.envelope : null;
}

function searchEnvelopes(call: Call, transactionId: string) {
  return call("GET", `/envelopes?transaction_ids=${transactionId}`, null);
}

function unreadableSearch(answer: HttpAnswer): Failure {
  return unreadableFailure("DocuSign's answer does not show whether the envelope exists", answer, { reads: true });
}
