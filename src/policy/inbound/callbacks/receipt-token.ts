// Receipt tokens: format and parse the token in the address by which a device reports about one push message. The token
// names the run and when it expires. src/services/hooks/receipts.ts verifies the proof in the token.
import { fromBase64Url, textOf, toBase64Url, utf8 } from "../bytes.ts";

export type ReceiptClaim = {
  readonly tenant: string;
  readonly execution: string;
  readonly run: string;
  readonly attempt: number;
  /** When the token expires, in epoch ms. */
  readonly until: number;
};

/** Returns the text that the proof in the token signs. Its beginning distinguishes it from tokens of triggers. */
export function receiptText({ tenant, execution, run, attempt, until }: ReceiptClaim): string {
  return `receipt/${tenant}/${execution}/${run}/${attempt}/${until}`;
}

export function receiptToken(claim: ReceiptClaim, proof: Uint8Array): string {
  return `${toBase64Url(utf8(receiptText(claim)))}.${toBase64Url(proof)}`;
}

/** Parses a token; null if its format is invalid. The caller must verify the proof before it uses the claim. */
export function parseReceiptToken(token: string): { readonly claim: ReceiptClaim; readonly proof: Uint8Array } | null {
  const [, text = "", proof = ""] = /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const [bytes, proven] = [fromBase64Url(text), fromBase64Url(proof)];
  const [, tenant, execution, run, attempt, until] = FORM.exec((bytes && textOf(bytes)) ?? "") ?? [];
  if (proven === null || tenant === undefined || execution === undefined || run === undefined) return null;
  return { claim: { tenant, execution, run, attempt: Number(attempt), until: Number(until) }, proof: proven };
}

const FORM = /^receipt\/([a-z0-9-]{1,63})\/(exe_[A-Za-z0-9_-]{1,96})\/(\d{1,9}\.\d{1,6})\/(\d{1,6})\/(\d{1,16})$/;
