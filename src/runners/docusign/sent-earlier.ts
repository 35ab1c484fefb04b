// What an attempt that was cut off may have left behind. DocuSign's documentation tells how to ask for an envelope by
// its transaction id, and does not promise what a second one under the same id becomes: so it is asked.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { textAt, valueAt } from "#schema/provider/json-pointer.ts";
import { unreadable, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { Call } from "./client.ts";
import { understood } from "./errors.ts";

type Earlier =
  | { readonly ok: true; readonly envelope: JsonObject | null }
  | { readonly ok: false; readonly failure: Failure };

/** Null: there is none. Not knowing is no reason to send a second one. */
export async function sentEarlier(call: Call, transactionId: string, { ticket, now }: RunnerContext): Promise<Earlier> {
  if (ticket.attempt === 1 && !ticket.possiblyRepeated) return { ok: true, envelope: null };
  const answer = await lookUp(call, transactionId);
  if (answer.ok) return envelopeIn(answer);
  const failure = understood(answer, now());
  return saysNone(answer, failure) ? { ok: true, envelope: null } : { ok: false, failure };
}

/**
 * That there is no such id is what was to be found out; limits and rights come with a 400 as well, and say nothing. Nor does
 * what is not DocuSign's own word: a proxy, a gateway or a wrong path has a 404, too.
 */
function saysNone({ answered: said }: HttpRefusal, { error }: Failure): boolean {
  const isRefusal = said !== null && (said.status === 400 || said.status === 404);
  if (!isRefusal || textAt(said.data, "/errorCode") === null) return false;
  return ["malformed_request", "not_found"].includes(error.type);
}

/** An object without a list has none; anything but an object was not said by DocuSign. */
function envelopeIn(answer: HttpAnswer): Earlier {
  const { data } = answer;
  const found = ["/envelopes/0", "/envelopeTransactionStatuses/0"].map((place) => valueAt(data, place)).find(Boolean);
  const isObject = data !== null && typeof data === "object" && !Array.isArray(data);
  if (found === undefined && isObject) return { ok: true, envelope: null };
  if (found !== undefined && textAt(found, "/envelopeId") !== null) return { ok: true, envelope: found as JsonObject }; // it has a field
  return { ok: false, failure: unread(answer) };
}

/** What an envelope's making was answered with; where that cannot be read the envelope is made, and DocuSign may tell which. */
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
  return unreadable("DocuSign answered neither with an envelope nor with none", answer, { reads: true });
}
