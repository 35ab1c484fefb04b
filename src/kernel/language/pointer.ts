// JSON pointers (RFC 6901): where in a document something is.

export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === "number" ? key : escaped(key)}`;
}

/** Most names have nothing to escape, and a definition has thousands of them. */
function escaped(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
