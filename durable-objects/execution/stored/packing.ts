// How the body of a row is written: deflated JSON. What every body says anyway, the names of its fields mostly, stands in
// no row: the words are known to whoever packs and unpacks.
import { deflateSync, inflateSync } from "node:zlib";
import { WORDS } from "./words.ts";

/** As it stands in a row. */
export type Packed = string | ArrayBuffer;

/** The first byte says what is to be done with the others. Another set of words is another form. */
const FORM = 1;
/** Names that occur again within a body are found by then; more looking takes time, and finds little. */
const LEVEL = 3;
/**
 * A row beyond 1,002 bytes leaves its leaf of the tree, and each commit of it writes a page or two more. Less its id and its
 * other columns that is so much for a body: one that is hardly larger is worth looking at more closely.
 */
export const LEAF_BYTES = 940;
const CLOSER = { level: 6, gains: 0.1 } as const;
const dictionary = new TextEncoder().encode(WORDS);

export function packed(text: string): ArrayBuffer {
  const quick = deflateSync(text, { dictionary, level: LEVEL });
  const deflated = mayFit(quick.byteLength + 1) ? deflateSync(text, { dictionary, level: CLOSER.level }) : quick;
  const body = new Uint8Array(deflated.byteLength + 1);
  body[0] = FORM;
  body.set(deflated, 1);
  return body.buffer;
}

function mayFit(bytes: number): boolean {
  return bytes > LEAF_BYTES && bytes * (1 - CLOSER.gains) <= LEAF_BYTES;
}

/** Throws, and says why, where this code cannot. */
export function unpacked(body: Packed): string {
  if (typeof body === "string") return body;
  const [form = 0] = new Uint8Array(body);
  if (form !== FORM)
    throw new Error(`the row is of form ${form}, and this code knows up to ${FORM}: deploy the newer code`);
  try {
    return inflateSync(new Uint8Array(body, 1), { dictionary }).toString();
  } catch {
    throw new Error(`the row's ${body.byteLength} bytes cannot be unpacked: they were cut off, or overwritten`);
  }
}
