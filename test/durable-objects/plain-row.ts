// Unpacks a row, so that tests can search its text.
import { unpackBody } from "#objects/execution/stored/packing.ts";

type Row = { readonly [column: string]: SqlStorageValue };

export function plainRow(row: Row): Row {
  return row["body"] instanceof ArrayBuffer ? { ...row, body: unpackBody(row["body"]) } : row;
}
