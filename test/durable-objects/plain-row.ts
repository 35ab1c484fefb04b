// A row as it can be read: what looks for something in rows would find nothing in packed ones.
import { unpackBody } from "#objects/execution/stored/packing.ts";

type Row = { readonly [column: string]: SqlStorageValue };

export function plainRow(row: Row): Row {
  return row["body"] instanceof ArrayBuffer ? { ...row, body: unpackBody(row["body"]) } : row;
}
