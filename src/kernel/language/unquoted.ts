// Where HTML puts something out into an attribute without quotes: <a href={{ url }}>. Escaping does not help there, since a
// blank in the value is enough to begin another attribute, such as onclick.

export type Unquoted = { readonly written: string; readonly line: number };

/** text: outside of tags. name: in a tag. equals: after "=". value: in a value without quotes. Else the quote it is in. */
type Place = "text" | "name" | "equals" | "value" | '"' | "'";

/** Outputs and tags of Liquid, comments, and single letters. */
const PIECES = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|<!--[\s\S]*?-->|<\/?[a-z]|[\s\S]/gi;

export function unquotedOutputs(html: string): readonly Unquoted[] {
  const found: Unquoted[] = [];
  let place: Place = "text";
  let line = 1;
  for (const [piece] of html.matchAll(PIECES)) {
    const isOutput = piece.startsWith("{{");
    if (isOutput && (place === "equals" || place === "value")) found.push({ written: piece.slice(0, 100), line });
    if (isOutput) place = place === "equals" ? "value" : place;
    else if (!piece.startsWith("{%") && !piece.startsWith("<!--")) place = after(place, piece);
    line += piece.split("\n").length - 1;
  }
  return found;
}

function after(place: Place, piece: string): Place {
  const isBlank = /^\s$/.test(piece);
  switch (place) {
    case "text":
      return piece.startsWith("<") && piece.length > 1 ? "name" : "text";
    case '"':
    case "'":
      return piece === place ? "name" : place;
    case "name":
      return piece === ">" ? "text" : piece === "=" ? "equals" : piece === '"' || piece === "'" ? piece : "name";
    case "equals":
      return piece === ">" ? "text" : isBlank ? "equals" : piece === '"' || piece === "'" ? piece : "value";
    case "value":
      return piece === ">" ? "text" : isBlank ? "name" : "value";
  }
}
