// Worst bodies that any route may be sent, whatever it takes: by their type, with the headers that say so.
import { gzipSync } from "node:zlib";
import { BYTES, type Body } from "./inflate.ts";
import { deepLists, manyNames, repeated } from "./texts.ts";

export type Typed = {
  readonly name: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: () => Buffer;
  readonly chunkBytes: number;
};

const JSON_TYPE = { "Content-Type": "application/json" };

export function asJson({ name, text }: Body): Typed {
  return { name, headers: JSON_TYPE, body: () => Buffer.from(text()), chunkBytes: 0 };
}

/** JSON of every shape that costs: to read, to check, to refuse. */
export const jsons: readonly Typed[] = [
  { name: "JSON, unknown names", text: () => manyNames(BYTES, (n) => n.toString(36).padStart(6, "x"), "1") },
  { name: "JSON, long unknown names", text: () => manyNames(BYTES, (n) => n.toString(36).padEnd(64, "x"), "1") },
  { name: "JSON, empty objects", text: () => repeated(BYTES, "{}") },
  { name: "JSON, 190 deep", text: () => deepLists(BYTES) },
  { name: "JSON, 1 MB deep", text: () => "[".repeat(BYTES) },
  { name: "JSON, numbers", text: () => repeated(BYTES, "1e300") },
  { name: "JSON, long numbers", text: () => repeated(BYTES, "0.1234567") },
  { name: "JSON, too many values", text: () => repeated(BYTES, "1", BYTES) },
  { name: "JSON, one long number", text: () => `0.${"1".repeat(BYTES)}` },
  { name: "JSON, one text of escapes", text: () => `"${"\\u0041".repeat(BYTES / 6)}"` },
  { name: "JSON, texts of escapes", text: () => repeated(BYTES, '"\\n"') },
  { name: "JSON, blanks", text: () => `{"a":"b"${" ".repeat(BYTES)}}` },
  { name: "JSON, broken at the end", text: () => `{"a":${repeated(BYTES, "{}")},}` },
  { name: "JSON, a text that does not end", text: () => `{"a":"${"a".repeat(BYTES)}` },
  { name: "JSON, lines", text: () => `${"\n".repeat(BYTES)}x` },
].map(asJson);

/** Of other types: what they are sent as says how they are read, and whether. */
export const others: readonly Typed[] = [
  ...[false, true].flatMap((isLong) => formsOf(isLong)),
  typed(
    "multipart, parts",
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n',
  ),
  typed("multipart, boundary of 70", `multipart/form-data; boundary=${"-".repeat(70)}`, "-"),
  typed("XML, elements", "application/xml", "<a>"),
  typed("XML, entities", "text/xml", '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">]>&a;'),
  typed("text", "text/plain", "a"),
  typed("bytes", "application/octet-stream", "\u0000"),
  typed("no type", "", "{}"),
  {
    name: "JSON in chunks of 16 bytes",
    headers: JSON_TYPE,
    body: () => Buffer.from(repeated(BYTES / 8, "{}")),
    chunkBytes: 16,
  },
  {
    name: "JSON, gzip",
    headers: { ...JSON_TYPE, "Content-Encoding": "gzip" },
    body: () => gzipSync(Buffer.alloc(BYTES * 20, " ")),
    chunkBytes: 0,
  },
  { name: "not UTF-8", headers: JSON_TYPE, body: () => Buffer.alloc(BYTES, 0xff), chunkBytes: 0 },
];

const EVENT = '{"specversion":"1.0","id":"1","source":"/a","type":"b","data":1}';

/** What hooks take besides. */
export const events: readonly Typed[] = [
  { name: "CloudEvent", type: "cloudevents", text: () => EVENT.replace('"data":1', `"data":${repeated(BYTES, "{}")}`) },
  { name: "CloudEvents, batch of empty ones", type: "cloudevents-batch", text: () => repeated(BYTES, "{}") },
  { name: "CloudEvents, batch of numbers", type: "cloudevents-batch", text: () => repeated(BYTES, "1") },
  { name: "CloudEvents, batch", type: "cloudevents-batch", text: () => repeated(BYTES, EVENT) },
  { name: "CloudEvents, batch of 1,000", type: "cloudevents-batch", text: () => repeated(1_000 * EVENT.length, EVENT) },
].map(({ name, type, text }) => ({
  name,
  headers: { "Content-Type": `application/${type}+json` },
  body: () => Buffer.from(text()),
  chunkBytes: 0,
}));

export const binaryEvent: Typed = {
  name: "CloudEvent, binary of bytes",
  headers: {
    "Content-Type": "application/octet-stream",
    "ce-specversion": "1.0",
    "ce-id": "%41".repeat(2_000),
    "ce-source": `"${"\\a".repeat(2_000)}"`,
    "ce-type": "a",
  },
  body: () => Buffer.alloc(BYTES, 0xff),
  chunkBytes: 0,
};

function formsOf(isLong: boolean): readonly Typed[] {
  const FORM = "application/x-www-form-urlencoded";
  const value = isLong ? "x".repeat(Math.floor(BYTES / 1_000) - 8) : "1";
  const fields = Array.from({ length: 1_000 }, (_, n) => `f${n}=${value}`).join("&");
  const many = Array.from({ length: BYTES / 8 }, (_, n) => `f${n}=`).join("&");
  return isLong
    ? [
        {
          name: "form, 1,000 long fields",
          headers: { "Content-Type": FORM },
          body: () => Buffer.from(fields),
          chunkBytes: 0,
        },
      ]
    : [
        { name: "form, names", headers: { "Content-Type": FORM }, body: () => Buffer.from(many), chunkBytes: 0 },
        typed("form, one name", FORM, "a=1&"),
        typed("form, escapes", FORM, "%41"),
      ];
}

function typed(name: string, type: string, part: string): Typed {
  const headers: { [name: string]: string } = type === "" ? {} : { "Content-Type": type };
  return {
    name,
    headers,
    body: () => Buffer.from(part.repeat(Math.floor(BYTES / Buffer.byteLength(part)))),
    chunkBytes: 0,
  };
}
