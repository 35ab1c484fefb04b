// Databases over HTTP: sends a statement through a connection and classifies the result. d1.ts and libsql.ts define the
// two protocols. A part of the database runner.
import { zodFindings } from "#schema/findings.ts";
import type { Json } from "#schema/json.ts";
import { databaseSettings, type DatabaseSettings } from "#schema/provider/database.ts";
import { DATABASE_ANSWER_BYTES_MAX } from "#schema/limits/outgoing/database-answers.ts";
import { credential, openAccount, secretsIn } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { d1Body, d1Path, readD1 } from "./d1.ts";
import { doubtfulEffect, meaningOfText, statementFailure } from "./errors.ts";
import { libsqlBody, readLibsql } from "./libsql.ts";
import type { QueryResult, DatabaseReply, Statement } from "./rows.ts";
import { answerDetails, incompleteNote, send, type HttpAnswer, type HttpRefusal } from "../http/call.ts";
import { refineRefusal } from "../core/refine-refusal.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";

export async function queryRemote(
  named: string | undefined,
  statement: Statement,
  context: RunnerContext,
): Promise<QueryResult> {
  const opened = await openAccount(context, named, "database", [["token"]]);
  if (!opened.ok) return opened;
  const { connection } = opened;
  const { name } = connection;
  const chosen = protocolOf(connection);
  if (!chosen.ok) return chosen;
  const { url, body, read } = chosen.protocol;
  const headers = new Headers({
    Authorization: `Bearer ${credential(connection, "token")}`,
    "Content-Type": "application/json",
    // The database ignores this header, but a proxy can recognize repeated attempts by it.
    "Idempotency-Key": context.ticket.idempotencyKey,
  });
  const answer = await send(
    {
      method: "POST",
      url,
      headers,
      body: JSON.stringify(body(statement)),
      secrets: secretsIn(connection),
      answerBytesMax: DATABASE_ANSWER_BYTES_MAX,
    },
    context,
  );
  if (!answer.ok) return { ok: false, failure: callFailure(answer, read) };
  const reply = read(answer.data);
  switch (reply.kind) {
    case "answer":
      return { ok: true, name, answer: reply.answer };
    case "refusal": {
      const { error } = statementFailure(name, reply.words, reply.meaning);
      return { ok: false, failure: { error: { ...error, details: answerDetails(answer) } } };
    }
    case "unreadable":
      return { ok: false, failure: unreadableFailure(name, answer) };
  }
}

type Protocol = {
  readonly url: string;
  readonly body: (statement: Statement) => object;
  readonly read: (data: Json) => DatabaseReply;
};
type ChosenProtocol =
  | { readonly ok: true; readonly protocol: Protocol }
  | { readonly ok: false; readonly failure: Failure };

function protocolOf(connection: OpenConnection): ChosenProtocol {
  const parsed = databaseSettings.safeParse(connection.settings ?? {});
  if (!parsed.success) {
    const wrong = zodFindings(parsed.error, databaseSettings, connection.settings ?? {}).map(
      ({ pointer, message }) => `settings${pointer.replaceAll("/", ".")}: ${message}`,
    );
    const message = `the connection ${connection.name} has no valid database: ${wrong.join("; ")}`;
    return { ok: false, failure: configurationFailure(message, "settings_invalid") };
  }
  const settings: DatabaseSettings = parsed.data;
  const base = connection.baseUrl?.replace(/\/+$/, "");
  switch (settings.protocol) {
    case "d1": {
      const url = (base ?? "https://api.cloudflare.com") + d1Path(settings);
      return { ok: true, protocol: { url, body: d1Body, read: readD1 } };
    }
    case "libsql": {
      if (base !== undefined) {
        return { ok: true, protocol: { url: `${base}/v2/pipeline`, body: libsqlBody, read: readLibsql } };
      }
      const message = `the connection ${connection.name} has no baseUrl, which libSQL requires`;
      return { ok: false, failure: configurationFailure(message, "base_url_missing") };
    }
  }
}

/**
 * Refines the failure of a refused call by the database's error text. For 401, 403 and 404 the status is more precise
 * than this text.
 */
function callFailure(refusal: HttpRefusal, read: Protocol["read"]): Failure {
  const answer = refusal.answered;
  const reply = read(answer?.data ?? null);
  if (answer === null || reply.kind !== "refusal") return refusal;
  const isOfTheStatement = ![401, 403, 404].includes(answer.status);
  const meaning = reply.meaning ?? (isOfTheStatement ? meaningOfText(reply.words) : null);
  return refineRefusal(refusal, {
    ...meaning,
    ...(meaning && doubtfulEffect(meaning, reply.words)),
    providerMessage: reply.words,
  });
}

/** The failure of an unreadable answer. The statement may have run, so an operator must decide about a retry. */
function unreadableFailure(name: string, answer: HttpAnswer): Failure {
  const isTooLarge = answer.incomplete === "too_long";
  const details = { ...answerDetails(answer), ...incompleteNote(answer) };
  const problem = isTooLarge
    ? `with more than ${DATABASE_ANSWER_BYTES_MAX} bytes; add a LIMIT to the statement`
    : "without rows or an error";
  const code = isTooLarge ? "answer_too_large" : "answer_unreadable";
  const message = `the database ${name} answered ${problem}`;
  return { error: { type: "unknown_error", retryable: false, code, details, effect: "unknown", message } };
}
