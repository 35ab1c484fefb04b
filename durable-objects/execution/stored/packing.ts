// Row packing: how the body of a row is written, as deflated JSON. Words common to every body, mostly field names, are
// in a shared dictionary and take no space in a row.
import { deflateSync, inflateSync } from "node:zlib";
import { WORDS } from "./dictionary.ts";

/** As stored in a row. */
export type PackedBody = string | ArrayBuffer;

/** The first byte names the format of the rest. Another dictionary is another format. */
const FORM = 1;
/** Finds repeated names within a body; a higher level costs time and gains little. */
const LEVEL = 3;
/**
 * A row above 1,002 bytes leaves its B-tree leaf, and each commit then writes a page or two more. Less the id and other
 * columns, this remains for a body; one slightly larger is worth compressing harder.
 */
export const LEAF_BYTES = 940;
const CLOSER = { level: 6, gains: 0.1 } as const;
const dictionary = new TextEncoder().encode(WORDS);

export function packBody(text: string): ArrayBuffer {
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

/** Throws with the reason if this code cannot. */
export function unpackBody(body: PackedBody): string {
  if (typeof body === "string") return body;
  const [form = 0] = new Uint8Array(body);
  if (form !== FORM)
    throw new Error(`the row has format ${form}, and this code supports formats up to ${FORM}: deploy the newer code`);
  try {
    return inflateSync(new Uint8Array(body, 1), { dictionary }).toString();
  } catch {
    throw new Error(`the row's ${body.byteLength} bytes cannot be unpacked: they were truncated or overwritten`);
  }
}
